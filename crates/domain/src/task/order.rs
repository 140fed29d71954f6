//! The order of the tasks of a record.

use super::{POSITIONS, Task, next_position};

/// What moves the task at `from` to the place `to`: the places of tasks in `tasks`, which is in order, and their new
/// positions. Where there is room between its new neighbours, that is one task; else those behind it make room.
pub fn moved(tasks: &[Task], from: usize, to: usize) -> Vec<(usize, i64)> {
    let mut order: Vec<(usize, i64)> = tasks.iter().map(|task| task.position).enumerate().collect();
    if from == to || from.max(to) >= order.len() {
        return Vec::new();
    }
    let (task, _) = order.remove(from);
    let before = to.checked_sub(1).and_then(|place| order.get(place)).map(|(_, position)| *position);
    let after = order.get(to).map(|(_, position)| *position);
    let floor = before.unwrap_or(POSITIONS.start() - 1);
    let between = after.map_or_else(|| next_position(before), |after| floor.midpoint(after));
    if floor < between && after.is_none_or(|after| between < after) {
        return vec![(task, between)];
    }
    let mut last = (floor + 1).min(*POSITIONS.end());
    let mut changes = vec![(task, last)];
    for (task, position) in order.into_iter().skip(to) {
        if position > last {
            break;
        }
        last = (last + 1).min(*POSITIONS.end());
        changes.push((task, last));
    }
    changes
}
