const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]:not(#content)';
const region = 'section, search, [role=group]';
/** Elements that open above the page and close again. */
const overlay = '[role=dialog], [role=menu], [role=alert]';

/** Returns an element and its ancestors, up to the overlay that contains it. */
function listAncestors(element: Element): Element[] {
  const { parentElement } = element;
  return [element, ...(parentElement && !element.matches(overlay) ? listAncestors(parentElement) : [])];
}

const canTakeFocus = (element: Element): boolean =>
  element.isConnected && element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled');

/**
 * Restores the focus when the focused element is removed or disabled; browsers drop it then. Goes back the way it came:
 * from a dialog to the element that opened it, from a deleted row to the section around it, or else to the page's
 * heading. Returns a function that stops it.
 */
export function keepFocus(): () => void {
  let focusPath: Element[] = [];
  const remember = ({ target }: FocusEvent) => {
    const path = listAncestors(target as Element);
    const outermost = path.at(-1) as Element;
    const underlying = outermost.matches(overlay) ? focusPath.slice(focusPath.indexOf(outermost) + 1) : [];
    focusPath = [...path, ...underlying];
  };
  const restore = () => {
    const focused = document.activeElement ?? document.body;
    const [last] = focusPath;
    if ((focused !== document.body && canTakeFocus(focused)) || !last || canTakeFocus(last)) return;
    const candidate = focusPath.find((element) => canTakeFocus(element) && element.matches(`${focusable}, ${region}`));
    const target = candidate ?? document.querySelector('h1');
    if (!(target instanceof HTMLElement)) return;
    if (!target.matches(focusable)) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(restore);
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  document.addEventListener('focusin', remember);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', remember);
  };
}
