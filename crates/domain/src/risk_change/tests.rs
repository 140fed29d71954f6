use super::{RiskChangeKind as Kind, *};
use crate::scale::Scale;

fn rating(likelihood: i64, impact: i64) -> Rating {
    Rating { likelihood, impact }
}

const STANDING: Standing = Standing {
    is_deleted: false,
    status: RiskStatus::Open,
    treatment: Treatment::Mitigate,
    inherent: Rating { likelihood: 4, impact: 5 },
    target: None,
    scale_version: 1,
};

/// The default scale, and a next version of it.
fn next(change: impl FnOnce(&mut Scale)) -> Scales {
    let mut scale = Scale { number: 2, ..Scale::default() };
    change(&mut scale);
    Scales::default().with(scale)
}

#[test]
fn a_risk_is_new_gone_closed_or_reopened_by_where_it_was_and_is() {
    let (open, deleted) = (STANDING, Standing { is_deleted: true, ..STANDING });
    let closed = Standing { status: RiskStatus::Closed, ..STANDING };
    for (before, after, expected) in [
        (None, Some(open), Some(Kind::New)),
        (None, Some(closed), Some(Kind::New)),
        (Some(deleted), Some(open), Some(Kind::New)),
        (None, Some(deleted), None),
        (Some(open), Some(deleted), Some(Kind::Gone)),
        (Some(open), None, Some(Kind::Gone)),
        (Some(open), Some(closed), Some(Kind::Closed)),
        (Some(closed), Some(open), Some(Kind::Reopened)),
        (Some(open), Some(open), None),
    ] {
        assert_eq!(Standing::became(before.as_ref(), after.as_ref()), expected, "{before:?} {after:?}");
    }
}

#[test]
fn each_moved_rating_is_told_with_both_values() {
    let scales = next(|scale| scale.generation = 2);
    let kinds = |after: Standing| -> Vec<Kind> {
        STANDING.moved(&after, &scales).into_iter().map(|(kind, ..)| kind).collect()
    };
    let target = Some(rating(1, 1));
    assert_eq!(kinds(Standing { target, ..STANDING }), [Kind::TargetMoved]);
    assert_eq!(
        kinds(Standing { inherent: rating(5, 4), target, ..STANDING }),
        [Kind::InherentMoved, Kind::TargetMoved]
    );
    let other = Standing { status: RiskStatus::Closed, treatment: Treatment::Accept, ..STANDING };
    assert_eq!(kinds(other), []);
    assert_eq!(STANDING.treated(&other), Some((Treatment::Mitigate, Treatment::Accept)));
    assert_eq!(STANDING.treated(&STANDING), None);
    assert_eq!(
        kinds(Standing { scale_version: 2, ..STANDING }),
        [Kind::InherentMoved],
        "it means something else"
    );
    let after = Standing { target, ..STANDING };
    assert_eq!(after.moved(&STANDING, &scales), [(Kind::TargetMoved, Some((rating(1, 1), 1)), None)]);
}

#[test]
fn evaluations_are_compared_by_band_then_by_score_and_not_across_scales() {
    let default = Scales::default();
    let of = |old, new, now: &Scales| compare((old, 1), (new, 1), &default, now);
    // 2 x 5 is 10 and 3 x 3 is 9, but the latter may be in the same band.
    assert_eq!(of(rating(1, 1), rating(5, 5), &default), Some(Kind::Worse));
    assert_eq!(of(rating(5, 5), rating(1, 1), &default), Some(Kind::Better));
    assert_eq!(of(rating(2, 3), rating(3, 2), &default), None, "the same score");
    let stricter = next(|scale| scale.content.matrix[2][2] = 3);
    assert_eq!(of(rating(3, 3), rating(3, 3), &stricter), Some(Kind::Worse), "only the band was edited");
    let fewer = next(|scale| {
        scale.content.bands.truncate(2);
        scale.content.matrix.iter_mut().flatten().for_each(|band| *band = (*band).min(1));
    });
    assert_eq!(of(rating(3, 3), rating(3, 3), &fewer), None, "both are read by the later scale");
    let other = next(|scale| scale.generation = 2);
    assert_eq!(compare((rating(3, 3), 1), (rating(3, 3), 2), &default, &other), Some(Kind::NotComparable));
    assert_eq!(
        of(rating(3, 3), rating(3, 4), &other),
        Some(Kind::Worse),
        "it was not evaluated again by the other scale"
    );
}
