//! Random edits of several files that use each other. After every step the server has the client's text, and says of it
//! what a server says that has seen nothing before.

mod compare;
mod edits;
mod text;
mod world;

use serde_json::{Value, json};

use super::harness::{Client, with_client};
use text::Unit;
use world::World;

/// Steps of one seed.
const STEPS: usize = 40;
/// Seeds for each unit of columns.
const SEEDS: u64 = 4;

#[test]
fn random_edits_in_bytes() {
    run(Unit::Utf8);
}

#[test]
fn random_edits_in_utf_16() {
    run(Unit::Utf16);
}

#[test]
fn random_edits_in_utf_32() {
    run(Unit::Utf32);
}

fn run(unit: Unit) {
    let (mut documents, mut without_errors) = (0, 0);
    for seed in seeds::range(SEEDS) {
        with_client(capabilities(unit), json!({}), async |mut client| {
            let mut world = World::new(unit, seed);
            world.begin(&mut client).await;
            compare::compare(&mut client, &mut world).await.unwrap();
            assert_eq!(world.right(), world.open(), "the texts that seed {seed} begins with have no errors");
            for step in 0..STEPS {
                world.step(&mut client).await;
                if let Err(difference) = compare::compare(&mut client, &mut world).await {
                    let replay = smallest_replay(&world).await;
                    panic!("unit {unit:?}, seed {seed}, step {step}: {difference}\n{replay}");
                }
                documents += world.open();
                without_errors += world.right();
            }
            client
        });
    }
    // Edits that leave nothing but errors would test little.
    assert!(2 * without_errors > documents, "of {documents} texts only {without_errors} are without errors");
}

/// What the client of these tests can do. It asks for diagnostics, so that nothing is sent that depends on time.
fn capabilities(unit: Unit) -> Value {
    json!({ "general": { "positionEncodings": [unit.name()] }, "textDocument": { "diagnostic": {} } })
}

/// The last steps, as few as show the difference in a session of their own.
async fn smallest_replay(world: &World) -> String {
    let all = world.history.len();
    for count in 1..=all {
        let mut client = Client::begin(capabilities(world.unit), json!({})).await;
        let mut again = world.before_last(count);
        again.begin(&mut client).await;
        let mut differs = false;
        for step in &world.history[all - count..] {
            again.replay(&mut client, step).await;
            differs = compare::compare(&mut client, &mut again).await.is_err();
        }
        if differs {
            return world.describe(count);
        }
    }
    format!("it does not happen again in a session of its own\n{}", world.describe(all))
}
