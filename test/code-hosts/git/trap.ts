/** A program that leaves a trace when it runs, planted wherever a repository can name programs. */
import { chmod, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface Trap {
  /** Absolute path of the program. */
  program: string;
  /** What made it run so far: the arguments of each call. */
  sprung(): Promise<string[]>;
}

export async function setTrap(folder: string): Promise<Trap> {
  const program = join(folder, "trap");
  const traces = join(folder, "traces");
  await mkdir(traces, { recursive: true });
  await writeFile(program, `#!/bin/sh\necho "$0 $*" > "${traces}/$$"\nexit 1\n`);
  await chmod(program, 0o755);
  const sprung = async () => {
    const names = await readdir(traces);
    return Promise.all(names.map((name) => Bun.file(join(traces, name)).text()));
  };

  // A trap that cannot spring proves nothing.
  await Bun.spawn([program, "test"]).exited;
  if ((await sprung()).length !== 1) throw new Error("the trap does not work");
  await rm(traces, { recursive: true });
  await mkdir(traces);
  return { program, sprung };
}

/** In `.gitattributes`, `info/attributes`: every file is to be read through the programs named in plantTrap. */
export const trappedAttributes = "* diff=trap filter=trap merge=trap text working-tree-encoding=UTF-16\n";

const hooks = [
  "fsmonitor-watchman",
  "post-checkout",
  "post-index-change",
  "post-rewrite",
  "post-update",
  "pre-auto-gc",
  "pre-receive",
  "proc-receive",
  "reference-transaction",
  "update",
];

/** Into the configuration, the hooks and the attributes of the repository whose `.git` folder is `gitDir`. */
export async function plantTrap(gitDir: string, { program }: Trap): Promise<void> {
  await mkdir(join(gitDir, "hooks"), { recursive: true });
  for (const hook of hooks) {
    await writeFile(join(gitDir, "hooks", hook), `#!/bin/sh\nexec "${program}" hook ${hook}\n`);
    await chmod(join(gitDir, "hooks", hook), 0o755);
  }
  await mkdir(join(gitDir, "info"), { recursive: true });
  await writeFile(join(gitDir, "info", "attributes"), trappedAttributes);
  await writeFile(join(gitDir, "included"), `[core]\n\tfsmonitor = ${program} included\n`);
  const config = await Bun.file(join(gitDir, "config")).text();
  await writeFile(join(gitDir, "config"), config + trappedConfiguration(gitDir, program));
}

function trappedConfiguration(gitDir: string, program: string): string {
  return `
[include]
	path = ${gitDir}/included
[core]
	hooksPath = ${gitDir}/hooks
	fsmonitor = ${program} fsmonitor
	pager = ${program} pager
	editor = ${program} editor
	sshCommand = ${program} ssh
	askPass = ${program} askpass
	gitProxy = ${program} proxy
	alternateRefsCommand = ${program} alternates
	attributesFile = ${gitDir}/info/attributes
[pager]
	diff-tree = ${program} pager
	log = ${program} pager
[diff]
	external = ${program} external
[diff "trap"]
	command = ${program} command
	textconv = ${program} textconv
	cachetextconv = true
[filter "trap"]
	process = ${program} process
	smudge = ${program} smudge
	clean = ${program} clean
	required = true
[merge "trap"]
	driver = ${program} merge
[uploadpack]
	packObjectsHook = ${program} pack-objects
[credential]
	helper = !${program} credential
[gpg]
	program = ${program} gpg
[log]
	showSignature = true
[alias]
	diff-tree = !${program} alias
	rev-parse = !${program} alias
	cat-file = !${program} alias
	merge-base = !${program} alias
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[remote "origin"]
	url = ext::${program} ext
	promisor = true
	partialCloneFilter = blob:none
	uploadpack = ${program} uploadpack
	vcs = trap
[submodule "lib"]
	url = ext::${program} submodule
	update = !${program} submodule
`;
}
