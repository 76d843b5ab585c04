// @ts-check
// Follows what is still running on the server: shows how far it is, and loads the page anew when it is over.

const LOOK_MS = 1000;
const PATIENCE_MS = 10000;

/**
 * @template {{ is_over: boolean }} Progress
 * @param {string} address
 * @param {(progress: Progress) => void} show
 * @param {(answer: Response) => Promise<Progress>} [read] its JSON otherwise
 */
export async function follow(address, show, read = (answer) => answer.json()) {
  let wait = LOOK_MS;
  for (;;) {
    await new Promise((done) => setTimeout(done, wait));
    try {
      const answer = await fetch(address);
      if (!answer.ok) return;
      const progress = await read(answer);
      if (progress.is_over) {
        location.reload();
        return;
      }
      show(progress);
      wait = LOOK_MS;
    } catch {
      // Offline: ask less and less often, up to a limit; what is on the page stays.
      wait = Math.min(wait * 2, PATIENCE_MS);
    }
  }
}
