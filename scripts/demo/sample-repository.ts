/** A small shop as a bare Git repository, with a pull request that a reviewer would have something to say about. */
import { cp, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";

interface Commit {
  /** Under `shop/`: files that this commit adds or replaces. */
  folder: string;
  author: string;
  date: string;
  message: string;
}

const ada = "Ada Moreno <ada@acme.example>";
const kofi = "Kofi Mensah <kofi@acme.example>";
const lin = "Lin Zhao <lin@acme.example>";
const sam = "Sam Rivera <sam@acme.example>";

const mainBranch: readonly Commit[] = [
  {
    folder: "1-carts",
    author: ada,
    date: "2026-09-01T09:12:00Z",
    message: "Start the shop: carts and orders",
  },
  { folder: "2-importer", author: kofi, date: "2026-09-14T15:40:00Z", message: "Import suppliers' prices" },
  { folder: "3-stock", author: lin, date: "2026-10-06T08:05:00Z", message: "Answer how much is in stock" },
  { folder: "4-container", author: ada, date: "2026-10-21T11:30:00Z", message: "Ship it in a container" },
];
const pullRequest: Commit = {
  folder: "pull-request",
  author: sam,
  date: "2026-11-18T16:20:00Z",
  message: "Vouchers at the checkout",
};
/** On the main branch after the pull request left it: none of its business. */
const later: Commit = {
  folder: "5-later",
  author: kofi,
  date: "2026-11-19T10:00:00Z",
  message: "Skip empty lines in price lists",
};

/** Put together here, so that no scanner takes this file itself for a leak. */
const plantedSecrets = { stripe_key: ["sk", "live", "51Hq9XkLmZ3vTbRw8YcNdP2f"].join("_") };

/** Makes `<folder>/acme/shop.git` with the open pull request `refs/pull/1/head`. */
export async function makeSampleRepository(folder: string): Promise<void> {
  const bare = join(folder, "acme", "shop.git");
  const workTree = join(folder, "work");
  await mkdir(workTree, { recursive: true });
  await git(workTree, "init", "--quiet", "--initial-branch=main");
  for (const commit of mainBranch) await add(workTree, commit);
  await git(workTree, "checkout", "--quiet", "-b", "vouchers");
  await add(workTree, pullRequest);
  await git(workTree, "update-ref", "refs/pull/1/head", "HEAD");
  await git(workTree, "checkout", "--quiet", "main");
  await git(workTree, "branch", "--quiet", "-D", "vouchers");
  await add(workTree, later);
  await git(folder, "clone", "--quiet", "--mirror", workTree, bare);
}

async function add(workTree: string, { folder, author, date, message }: Commit): Promise<void> {
  await cp(join(import.meta.dir, "shop", folder), workTree, { recursive: true });
  await plantSecrets(workTree);
  const [, name = "", email = ""] = /^(.*) <(.*)>$/.exec(author) ?? [];
  const person = { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: date };
  await git(workTree, "add", "--all");
  await Bun.$`git commit --quiet --author ${author} --date ${date} --message ${message}`
    .cwd(workTree)
    .env({ ...gitEnvironment(), ...person })
    .quiet();
}

async function plantSecrets(workTree: string): Promise<void> {
  for (const name of await readdir(join(workTree, "src"))) {
    const file = Bun.file(join(workTree, "src", name));
    const text = await file.text();
    const planted = Object.entries(plantedSecrets).reduce(
      (all, [placeholder, secret]) => all.replaceAll(`{{${placeholder}}}`, secret),
      text,
    );
    if (planted !== text) await file.write(planted);
  }
}

async function git(cwd: string, ...args: string[]): Promise<void> {
  await Bun.$`git ${args}`.cwd(cwd).env(gitEnvironment()).quiet();
}

/** Nobody's settings or hooks change what is made. */
function gitEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? "", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
}
