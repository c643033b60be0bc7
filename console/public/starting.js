// Sets the user's colour scheme before Mantine does, so that a dark page does not flash white.
try {
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
} catch {
  // Storage is blocked: the page follows the system.
}

// Shows a message until the console renders: that it is loading if that takes long, or what to do if a script fails to
// load.
const say = (what) => {
  const starting = document.getElementById('starting');
  if (starting) starting.textContent = starting.dataset[what];
};
setTimeout(() => say('slow'), 1000);
addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && say('failed'), true);
