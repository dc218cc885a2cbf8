//! The example web is embedded, so a changed page must bring a new build.

fn main() {
    println!("cargo::rerun-if-changed=../../examples/site/web");
}
