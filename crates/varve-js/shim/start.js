// Installs everything, once for each global object. The runtime comes first and the patches after
// it, each on its own: whatever fails, rewritten scripts find what they call.

function install() {
  configure(readConfig());
  if (isElsewhen()) return void goToOwnTime();
  startClock();
  installPatching();
  installRuntime();
  for (const step of INSTALLATION) attempt(step.name, step);
  if (config.debug && failures.length) root.console.warn("varve:", ...failures);
}

if (root.__varve && root.__varve[CONFIGURE]) root.__varve[CONFIGURE](readConfig());
else install();
