/** What the tests need from the system: found, or installed where that is possible without asking. */
import { findPostgres } from "../test/support/postgres-server.ts";

interface SystemPackage {
  what: string;
  /** Debian's name of it. */
  debianPackage: string;
  isThere: () => boolean;
}

const needed: readonly SystemPackage[] = [
  { what: "Git", debianPackage: "git", isThere: () => Bun.which("git") !== null },
  { what: "the PostgreSQL server", debianPackage: "postgresql", isThere: () => findPostgres() !== null },
];

/** Installs what is missing with apt as root; throws with what to install otherwise. */
export async function ensureSystemPackages(): Promise<void> {
  const missing = needed.filter(({ isThere }) => !isThere());
  if (missing.length === 0) return;
  const what = missing.map((one) => one.what).join(" and ");
  const packages = missing.map((one) => one.debianPackage);
  if (process.getuid?.() !== 0 || Bun.which("apt-get") === null) {
    throw new Error(`The tests need ${what}. On Debian: sudo apt-get install ${packages.join(" ")}`);
  }
  console.error(`==> Installing ${what} with apt`);
  const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await Bun.$`apt-get update -q && apt-get install -q -y --no-install-recommends ${packages}`
    .env(environment)
    .quiet();
  const still = missing.filter(({ isThere }) => !isThere());
  if (still.length > 0)
    throw new Error(`apt installed ${packages.join(" ")}, and still something is missing`);
}
