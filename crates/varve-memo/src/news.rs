//! News: what a visit to a page would show that no visit has shown.

use std::collections::BTreeMap;

/// What is new in a page, and how much each of it counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News(BTreeMap<String, u64>);

impl News {
    /// A script counts for more than all else that a page may have.
    const SCRIPT: u64 = 1000;

    pub(crate) fn add_script(&mut self, name: &str) {
        self.0.insert(format!("script {name}"), Self::SCRIPT);
    }

    pub(crate) fn add_value(&mut self, slot: &str, value: &str) {
        self.0.insert(format!("value {slot} {value}"), 1);
    }

    pub(crate) fn add_element(&mut self, selector: &str) {
        self.0.insert(format!("element {selector}"), 1);
    }

    /// How much of it counts that none of these others will show.
    pub fn beyond(&self, others: &[&News]) -> u64 {
        let is_left = |what: &String| !others.iter().any(|other| other.0.contains_key(what));
        let left = self.0.iter().filter(|(what, _)| is_left(what));
        let (scripts, rest): (Vec<u64>, Vec<u64>) = left
            .map(|(_, weight)| *weight)
            .partition(|weight| *weight == Self::SCRIPT);
        let rest: u64 = rest.iter().sum();
        scripts.iter().sum::<u64>() + rest.min(Self::SCRIPT - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn news(scripts: &[&str], elements: &[&str]) -> News {
        let mut news = News::default();
        scripts.iter().for_each(|name| news.add_script(name));
        elements.iter().for_each(|name| news.add_element(name));
        news
    }

    #[test]
    fn what_others_will_show_counts_no_longer() {
        let page = news(&["map", "search"], &[".tabs"]);
        assert_eq!(page.beyond(&[]), 2001);
        let (one, other) = (news(&["map"], &[]), news(&["search"], &[".menu"]));
        assert_eq!(page.beyond(&[&one]), 1001);
        assert_eq!(page.beyond(&[&one, &other]), 1);
        assert_eq!(page.beyond(&[&page]), 0);
    }

    #[test]
    fn a_script_counts_for_more_than_any_number_of_elements() {
        let names: Vec<String> = (0..5000).map(|n| format!(".e{n}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert!(news(&[], &names).beyond(&[]) < news(&["map"], &[]).beyond(&[]));
    }
}
