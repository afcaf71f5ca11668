/** A pull request of 100 files and 5,000 added lines of ordinary code in three languages, with a fault here and there. */
import { aRepository, type Files, type GitRepository } from "../test/support/git-repository.ts";

export const files = 100;
export const addedLinesPerFile = 50;
const functionsBefore = 20;
/** One file in ten has a fault. */
const faultEvery = 10;

interface Language {
  path(n: number): string;
  /** Ten lines each. */
  ordinary(n: number): string;
  faulty(n: number): string;
}

const languages: readonly Language[] = [
  {
    path: (n) => `web/src/module${n}.ts`,
    ordinary: (n) => `
export function total${n}(items: readonly { cents: number; quantity: number }[]): number {
  let sum = 0;
  for (const item of items) {
    if (item.quantity <= 0) continue;
    sum += item.cents * item.quantity;
  }
  const discount = sum > ${n * 100} ? Math.round(sum / 20) : 0;
  return sum - discount;
}
`,
    faulty: (n) => `
export function rule${n}(expression: string, total: number): boolean {
  const source = expression.replaceAll("total", String(total));
  const known = new Map<string, boolean>();
  const before = known.get(source);
  if (before !== undefined) return before;
  const result = eval(source);
  known.set(source, result);
  return result;
}
`,
  },
  {
    path: (n) => `jobs/job_${n}.py`,
    ordinary: (n) => `

def prices_${n}(rows, minimum=${n}):
    found = {}
    for row in rows:
        price = row["price"]
        if price < minimum:
            continue
        found[row["sku"]] = price
    return found
`,
    faulty: (n) => `

def unpack_${n}(archive, folder):
    import subprocess
    if not archive:
        return None
    command = ["unzip", archive]
    subprocess.run(f"unzip {archive} -d {folder}", shell=True)
    print(command)
    return folder
`,
  },
  {
    path: (n) => `stock/part${n}/part.go`,
    ordinary: (n) => `
func Count${n}(levels map[string]int, wanted []string) (int, error) {
	count := 0
	for _, sku := range wanted {
		level, known := levels[sku]
		if !known { return 0, fmt.Errorf("unknown item %s", sku) }
		count += level
	}
	return count, nil
}
`,
    faulty: (n) => `
func Client${n}(timeout time.Duration) *http.Client {
	pool := x509.NewCertPool()
	settings := &tls.Config{
		RootCAs:            pool,
		InsecureSkipVerify: true,
	}
	transport := &http.Transport{TLSClientConfig: settings}
	return &http.Client{Transport: transport, Timeout: timeout}
}
`,
  },
];

export function makeLargePullRequest(): Promise<GitRepository> {
  const base: Record<string, string> = {};
  const head: Record<string, string> = {};
  for (let n = 0; n < files; n += 1) {
    const language = languages[n % languages.length];
    if (language === undefined) continue;
    const before = Array.from({ length: functionsBefore }, (_, f) => language.ordinary(n * 1_000 + f));
    const added = Array.from({ length: addedLinesPerFile / 10 }, (_, f) =>
      language.ordinary(n * 1_000 + 500 + f),
    );
    if (n % faultEvery === 0) added[2] = language.faulty(n);
    base[language.path(n)] = before.join("");
    head[language.path(n)] = [...before.slice(0, 10), ...added, ...before.slice(10)].join("");
  }
  return aRepository()
    .commit(base satisfies Files)
    .pullRequest(1, head satisfies Files)
    .create("acme/shop");
}
