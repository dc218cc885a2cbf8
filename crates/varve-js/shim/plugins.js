// `navigator.plugins` and `navigator.mimeTypes` as at capture, where the browser that replays has
// others. What is built here only answers; nothing is ever shown by a plugin.

/** An object of an interface that pages cannot construct, with these own values. */
function imitation(type, values) {
  const made = create(prototypeOf(type));
  for (const name of Object.keys(values)) defineProperty(made, name, { value: values[name], enumerable: true });
  return made;
}

/** A list of an interface, by number and by what `nameOf` says. */
function imitatedList(type, members, nameOf, values) {
  const list = imitation(type, values);
  const hidden = (name, value) => defineProperty(list, name, { value, configurable: true });
  members.forEach((member, at) => {
    defineProperty(list, at, { value: member, enumerable: true, configurable: true });
    hidden(nameOf(member), member);
  });
  hidden("length", members.length);
  hidden("item", (at) => members[at >>> 0] ?? null);
  hidden("namedItem", (name) => members.find((member) => nameOf(member) === text(name)) ?? null);
  hidden(Symbol.iterator, () => members[Symbol.iterator]());
  return list;
}

function imitatedPlugin({ name, filename, description, types }) {
  const shown = (types || []).map((type) => imitation("MimeType", type));
  const plugin = imitatedList("Plugin", shown, ({ type }) => type, { name, filename, description });
  for (const type of shown) defineProperty(type, "enabledPlugin", { value: plugin });
  return { plugin, shown };
}

/** Each media type once: the first plugin shows it. */
function eachOnce(types) {
  return types.filter(({ type }, at) => types.findIndex((other) => other.type === type) === at);
}

function installPlugins(prototype, recorded) {
  const names = (list) => join([...list].map(({ name }) => name), "\n");
  if (!recorded || !root.navigator.plugins || names(root.navigator.plugins) === names(recorded)) return;
  const imitated = recorded.map(imitatedPlugin);
  const plugins = imitated.map(({ plugin }) => plugin);
  const types = eachOnce(imitated.flatMap(({ shown }) => shown));
  const list = imitatedList("PluginArray", plugins, ({ name }) => name, {});
  defineProperty(list, "refresh", { value: () => undefined, configurable: true });
  pin(prototype, "plugins", list);
  pin(prototype, "mimeTypes", imitatedList("MimeTypeArray", types, ({ type }) => type, {}));
}
