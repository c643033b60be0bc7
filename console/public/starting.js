// Sets the colour scheme that somebody chose, as Mantine will a moment later.
try {
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light';
} catch {
  // A browser that keeps nothing: the page follows the system.
}

// Until the console is there: says so where that takes long, and what to do where a part of it does not come at all.
const say = (what) => {
  const starting = document.getElementById('starting');
  if (starting) starting.textContent = starting.dataset[what];
};
setTimeout(() => say('slow'), 1000);
addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && say('failed'), true);
