// @ts-check
// Copies texts to the clipboard.

/**
 * Copies text; the old way where the page is not served securely and the clipboard is not offered.
 * @param {string} text
 */
export async function copy(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const box = document.createElement("textarea");
  box.value = text;
  document.body.append(box);
  box.select();
  document.execCommand("copy");
  box.remove();
}
