// @ts-check
// The keys of the page. Every F-key has a second one with Alt, for laptops where F-keys do something else.

/** @typedef {{ keys: string[], act: () => unknown, isForWriting?: boolean }} Binding `isForWriting`: false where a field takes the key */

/** Of a binding whose keys a field takes. */
export const forReading = { isForWriting: false };

/**
 * A key press as the bindings name it: "F2", "Alt+KeyS" (by place, since Alt changes the letter on a Mac), "?".
 * Any other modifier makes it a shortcut of the browser or the system.
 * @param {KeyboardEvent} event
 */
export function nameOf(event) {
  if (event.ctrlKey || event.metaKey) return "";
  if (event.altKey) return /^(?:Key[A-Z]|Digit\d)$/.test(event.code) ? `Alt+${event.code}` : "";
  return event.key;
}

/**
 * @param {Binding[]} bindings
 * @param {() => boolean} isBlocked
 */
export function bindKeys(bindings, isBlocked) {
  const byKey = new Map(bindings.flatMap((binding) => binding.keys.map((key) => [key, binding])));
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.keyCode === 229 || isBlocked()) return;
    const binding = byKey.get(nameOf(event));
    if (!binding || (binding.isForWriting === false && isField(event.target))) return;
    event.preventDefault();
    binding.act();
  });
}

/** @param {EventTarget | null} target whether it is written in */
export function isField(target) {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== "radio" && target.type !== "checkbox");
}
