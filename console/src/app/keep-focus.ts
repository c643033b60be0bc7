const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]:not(#content)';
const region = 'section, search, [role=group]';
/** What comes over the page, and goes again. */
const passing = '[role=dialog], [role=menu], [role=alert]';

/** An element and what is around it, as far as it belongs together. */
function around(element: Element): Element[] {
  const { parentElement } = element;
  return [element, ...(parentElement && !element.matches(passing) ? around(parentElement) : [])];
}

const canTake = (element: Element): boolean =>
  element.isConnected && element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled');

/**
 * Keeps the focus where somebody is when what had it is gone or disabled; browsers forget it then. It goes back the way that it
 * came: from a dialog to what opened it, from a row that is deleted to the section around it, else to the page's heading.
 * Gives what ends it.
 */
export function keepFocus(): () => void {
  let way: Element[] = [];
  const remember = ({ target }: FocusEvent) => {
    const here = around(target as Element);
    const outermost = here.at(-1) as Element;
    const before = outermost.matches(passing) ? way.slice(way.indexOf(outermost) + 1) : [];
    way = [...here, ...before];
  };
  const mend = () => {
    const focused = document.activeElement ?? document.body;
    const [last] = way;
    if ((focused !== document.body && canTake(focused)) || !last || canTake(last)) return;
    const near = way.find((element) => canTake(element) && element.matches(`${focusable}, ${region}`));
    const next = near ?? document.querySelector('h1');
    if (!(next instanceof HTMLElement)) return;
    if (!next.matches(focusable)) next.tabIndex = -1;
    next.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(mend);
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  document.addEventListener('focusin', remember);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', remember);
  };
}
