/**
 * How long a request may take, counted so that a busy machine does not eat it up: a request is late once it has taken
 * its budget on the clock *and* the process has computed that long for it. A thread's own computing time cannot be had
 * from outside, so the process's is shared out among the requests that run at once.
 */

/** A request that waits without computing is given up after so many budgets, however little was computed. */
const patience = 12;
const checksPerBudget = 20;

let running = 0;

/** Calls `late` once; the returned function ends the watch and must be called in any case. */
export function watchBudget(budgetMs: number, late: () => void): () => void {
  const started = performance.now();
  let seen = process.cpuUsage();
  let computedMs = 0;
  const check = () => {
    const { user, system } = process.cpuUsage(seen);
    seen = process.cpuUsage();
    computedMs += (user + system) / 1_000 / running;
    const passedMs = performance.now() - started;
    if (passedMs >= budgetMs * patience || (passedMs >= budgetMs && computedMs >= budgetMs)) late();
  };
  running += 1;
  const timer = setInterval(check, budgetMs / checksPerBudget);
  return () => {
    clearInterval(timer);
    running -= 1;
  };
}
