/** What a manifest asks for, and whether a lock file has it: one entry for each package manager. */

export interface PackageManager {
  /** The manifest's file name. */
  manifest: string;
  locks: readonly LockFile[];
  /** Name → what is asked for of it. Empty for a manifest that cannot be read. */
  wanted(manifest: string): ReadonlyMap<string, string>;
}

export interface LockFile {
  name: string;
  /** The command that brings the lock file up to date. */
  update: string;
  /** Whether the file has what is asked for; true also when that cannot be told. */
  holds(lock: string, name: string, spec: string): boolean;
}

type Table = Readonly<Record<string, unknown>>;

export const packageManagers: readonly PackageManager[] = [
  {
    manifest: "package.json",
    locks: [
      { name: "package-lock.json", update: "npm install", holds: npmHolds },
      {
        name: "pnpm-lock.yaml",
        update: "pnpm install",
        holds: (lock, name, spec) => !lock.includes("specifier: ") || pnpmHolds(lock, name, spec),
      },
      {
        name: "yarn.lock",
        update: "yarn install",
        holds: (lock, name, spec) => lock.includes(`${name}@${spec}`) || lock.includes(`${name}@npm:${spec}`),
      },
      {
        name: "bun.lock",
        update: "bun install",
        holds: (lock, name, spec) => lock.includes(`${JSON.stringify(name)}: ${JSON.stringify(spec)}`),
      },
    ],
    wanted: (text) =>
      sectionsOf(parseJson(text), ["dependencies", "devDependencies", "optionalDependencies"]),
  },
  {
    manifest: "composer.json",
    locks: [
      {
        name: "composer.lock",
        update: "composer update",
        // PHP itself and its extensions are not locked.
        holds: (lock, name) => !name.includes("/") || lock.includes(`"name": "${name}"`),
      },
    ],
    wanted: (text) => sectionsOf(parseJson(text), ["require", "require-dev"]),
  },
  {
    manifest: "Cargo.toml",
    locks: [
      {
        name: "Cargo.lock",
        update: "cargo update --workspace",
        holds: (lock, name) => namesIn(lock).has(name),
      },
    ],
    wanted: (text) => cargoWants(parseToml(text)),
  },
  {
    manifest: "pyproject.toml",
    locks: [
      { name: "poetry.lock", update: "poetry lock", holds: pythonHolds },
      { name: "uv.lock", update: "uv lock", holds: pythonHolds },
      { name: "pdm.lock", update: "pdm lock", holds: pythonHolds },
    ],
    wanted: (text) => pythonWants(parseToml(text)),
  },
  { manifest: "requirements.txt", locks: [], wanted: (text) => requirementsIn(text.split("\n")) },
  {
    manifest: "go.mod",
    locks: [
      {
        name: "go.sum",
        update: "go mod tidy",
        holds: (lock, name, spec) => lock.includes(`${name} ${spec}`),
      },
    ],
    wanted: (text) =>
      text.includes("\nreplace ")
        ? new Map()
        : new Map(
            [...text.matchAll(/^(?:require )?\s*([\w.~/-]+\.[\w.~/-]+) (v[\w.+-]+)/gm)].map(
              ([, name = "", version = ""]) => [name, version],
            ),
          ),
  },
  {
    manifest: "Gemfile",
    locks: [
      {
        name: "Gemfile.lock",
        update: "bundle install",
        holds: (lock, name) => new RegExp(`^ +${name.replace(/[.]/g, "\\.")}[ !(\\n]`, "m").test(`${lock}\n`),
      },
    ],
    wanted: (text) =>
      new Map(
        [...text.matchAll(/^gem ["']([\w.-]+)["'](?:, *["']([^"']*)["'])?\s*(?:$|#|, *\w+:)/gm)].map(
          ([, name = "", spec = ""]) => [name, spec],
        ),
      ),
  },
];

/** What the lock file (version 2 and 3) repeats of the manifest. */
function npmHolds(lock: string, name: string, spec: string): boolean {
  const root = table(table(table(parseJson(lock))?.packages)?.[""]);
  if (root === null) return true;
  const locked = sectionsOf(root, ["dependencies", "devDependencies", "optionalDependencies"]);
  return locked.size === 0 || locked.get(name) === spec;
}

function pnpmHolds(lock: string, name: string, spec: string): boolean {
  const names = [`${name}:`, `'${name}':`];
  const lines = lock.split("\n").map((line) => line.trim());
  return lines.some(
    (line, index) =>
      names.includes(line) && lines[index + 1]?.replace(/^specifier: ['"]?|['"]$/g, "") === spec,
  );
}

function pythonHolds(lock: string, name: string): boolean {
  return name === "python" || namesIn(lock).has(name);
}

function namesIn(lock: string): ReadonlySet<string> {
  return new Set([...lock.matchAll(/^name = "([^"]+)"/gm)].map(([, name = ""]) => name));
}

function cargoWants(manifest: Table | null): ReadonlyMap<string, string> {
  return sectionsOf(manifest, ["dependencies", "dev-dependencies", "build-dependencies"]);
}

function pythonWants(manifest: Table | null): ReadonlyMap<string, string> {
  const poetry = table(table(manifest?.tool)?.poetry);
  const group = table(table(poetry?.group)?.dev);
  const listed = table(manifest?.project)?.dependencies;
  const found = new Map([
    ...sectionsOf(poetry, ["dependencies", "dev-dependencies"]),
    ...sectionsOf(group, ["dependencies"]),
  ]);
  const required = requirementsIn(Array.isArray(listed) ? listed.map(String) : []);
  return new Map([
    ...[...found].map(([name, spec]): [string, string] => [normalized(name), spec]),
    ...required,
  ]);
}

/** `Django[argon2] >= 4.2; python_version > "3.8"  # why` (PEP 508). */
function requirementsIn(lines: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of lines) {
    const [, name, spec = ""] = /^([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*([^;#\\]*)/.exec(line) ?? [];
    if (name !== undefined) found.set(normalized(name), spec.trim());
  }
  return found;
}

function normalized(name: string): string {
  return name.toLowerCase().replace(/[._]+/g, "-");
}

/** Only what is asked for as a text; a table (`{ path = "../a" }`) is a matter of its own. */
function sectionsOf(manifest: Table | null, sections: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const section of sections) {
    for (const [name, spec] of Object.entries(table(manifest?.[section]) ?? {})) {
      if (typeof spec === "string" && !/^(?:workspace|file|link|portal|patch|catalog|npm):/.test(spec))
        found.set(name, spec);
    }
  }
  return found;
}

function table(value: unknown): Table | null {
  return typeof value === "object" && value !== null ? (value as Table) : null;
}

/** A manifest that cannot be read is another rule's business. */
function parseJson(text: string): Table | null {
  try {
    return table(JSON.parse(text));
  } catch {
    return null;
  }
}

function parseToml(text: string): Table | null {
  try {
    return table(Bun.TOML.parse(text));
  } catch {
    return null;
  }
}
