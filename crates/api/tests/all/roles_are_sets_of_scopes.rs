//! A person's session may do exactly what the scopes of their roles allow.

use domain::{Role, Roles};
use testkit::TestApp;

use crate::all::operations::{self, Operation};
use crate::all::world::World;

by_noun!(operations::all, a_session_may_do_what_its_roles_say);
async fn a_session_may_do_what_its_roles_say(app: TestApp, operations: Vec<Operation>) {
    let world = World::new(&app).await;
    let several = Roles::new([Role::Staff, Role::Auditor, Role::Approver]).unwrap();
    for roles in Role::ALL.iter().map(|role| Roles::from(*role)).chain([several]) {
        let name = &roles.to_string();
        let person = app.person(name, roles.clone()).await;
        for operation in &operations {
            let enough = roles.scopes().iter().find(|scope| operation.scopes().contains(&scope.as_str()));
            let ask = match enough {
                Some(scope) => world.valid_by(operation, person.as_ref(), scope.as_str()).await,
                None => world.valid(operation).await,
            };
            let head = world.head().await;
            let answer = ask.on(&app).bearer(&person).await;
            match operation.scope() {
                Some(scope) if enough.is_none() => {
                    assert_eq!(answer.status, 403, "{operation} as {name}: {}", answer.json());
                    assert_eq!(answer.text("scope"), scope, "{operation} as {name}");
                    assert_eq!(world.head().await, head, "{operation} as {name}");
                }
                _ => assert!(
                    (200..300).contains(&answer.status),
                    "{operation} as {name}: {} {}",
                    answer.status,
                    answer.json()
                ),
            }
        }
    }
}
