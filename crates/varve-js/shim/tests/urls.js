// Mapping of URLs: what attributes hold for what pages write, and what pages read back.

{
  const { equal, replay } = varveTests;
  const map = (url) => {
    const link = document.createElement("a");
    link.setAttribute("href", url);
    return varveTests.actual(link, "href");
  };
  const becomes = (url, archived, layout) => [
    `maps ${url}`,
    () => varveTests.leads(map(url), archived),
    layout,
  ];
  const stays = (url, layout) => [`leaves ${url}`, () => equal(map(url), url), layout];

  varveTests.add("urls", [
    becomes("https://www.example.org/a?b#c", "https://www.example.org/a?b#c"),
    becomes("http://other.test/", "http://other.test/"),
    becomes("http://other.test:8080/x", "http://other.test:8080/x"),
    becomes("HTTPS://WWW.Example.ORG/A", "https://www.example.org/A"),
    becomes("//cdn.example.net/x.js", "https://cdn.example.net/x.js"),
    becomes("\\\\cdn.example.net\\x", "https://cdn.example.net/x"),
    becomes("  https://other.test/spaces ", "https://other.test/spaces"),
    becomes("https://other.test", "https://other.test/"),
    becomes("https://xn--bcher-kva.test/ü", "https://xn--bcher-kva.test/%C3%BC"),
    becomes("https:rel", "https://www.example.org/dir/rel"),
    becomes("/root", "https://www.example.org/root", "path"),
    becomes("../../../climb", "https://www.example.org/climb", "path"),
    stays("/root", "host"),
    stays("relative/x"),
    stays("../x", "host"),
    stays("?q=1"),
    stays("#top"),
    stays(""),
    stays("data:text/plain,http://x/"),
    stays("blob:https://www.example.org/1"),
    stays("about:blank"),
    stays("javascript:void(0)"),
    stays("mailto:a@example.org"),
    stays("tel:123"),
    ["is idempotent", () => {
      const once = map("https://other.test/x?y");
      equal(map(once), once);
    }],
    ["maps IPv6 literals", () => equal(new URL(map("http://[::1]:9/x")).hostname.split(".")[0], "v6-0-0-0-0-0-0-0-1"), "host"],
    ["reads IPv6 literals back", () => {
      const link = document.createElement("a");
      link.href = "http://[2001:db8::1]/x";
      equal(link.hostname, "[2001:db8::1]");
    }],
    ["original() of a replay URL", () => equal(__varve.original(replay.call(varveTests, "https://a.test:81/x?y#z")), "https://a.test:81/x?y#z")],
    ["original() of anything else", () => equal(__varve.original("data:,x"), "data:,x")],
    ["importing() maps absolute URLs", () => equal(__varve.importing("https://cdn.test/m.js"), varveTests.replay("https://cdn.test/m.js", "js_"))],
    ["importing() leaves bare specifiers", () => equal(__varve.importing("react"), "react")],
    ["importing() leaves relative ones", () => equal(__varve.importing("./m.js"), "./m.js")],
    ["importing() resolves from the referrer", () => equal(
      __varve.importing("/m.js", varveTests.replay("https://cdn.test/a/b.js", "js_")), varveTests.replay("https://cdn.test/m.js", "js_")), "path"],
    ["a module loads", async () => {
      const module = await import(__varve.importing("https://www.example.org/module.js"));
      equal(module.url, "https://www.example.org/module.js");
    }],
    ["the document's base counts", () => {
      const base = document.createElement("base");
      base.href = "https://base.test/deep/";
      document.head.append(base);
      try {
        equal(base.href, "https://base.test/deep/");
        equal(document.baseURI, "https://base.test/deep/");
        const link = document.createElement("a");
        link.setAttribute("href", "x");
        document.body.append(link);
        equal(link.href, "https://base.test/deep/x");
        varveTests.leads(map("//s.test/"), "https://s.test/");
      } finally {
        base.remove();
      }
    }],
  ]);
}
