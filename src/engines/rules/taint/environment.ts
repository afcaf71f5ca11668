/** What is known at one point of a function: its variables, and which input has been checked on the way there. */
import { identity, join, type Taint, type Value } from "./value.ts";

export class Environment {
  private variables: Map<string, Value>;
  /** Identity of checked input → the kinds of sinks that it is harmless to. */
  private checked: Map<string, ReadonlySet<string>>;

  constructor(
    variables: ReadonlyMap<string, Value> = new Map(),
    checked: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
  ) {
    this.variables = new Map(variables);
    this.checked = new Map(checked);
  }

  get(name: string): Value | undefined {
    return this.variables.get(name);
  }

  set(name: string, value: Value): void {
    this.variables.set(name, value);
  }

  /** Forgets what was known about the parts of `name`: `name.part`. */
  forgetParts(name: string): void {
    for (const known of this.variables.keys()) if (known.startsWith(`${name}.`)) this.variables.delete(known);
  }

  clone(): Environment {
    return new Environment(this.variables, this.checked);
  }

  /** For a function that is called from here: its own variables, and the checks made so far. */
  enter(from: Environment): Environment {
    return new Environment(this.variables, from.checked);
  }

  become(other: Environment): void {
    this.variables = other.variables;
    this.checked = other.checked;
  }

  /** Both may have happened. Whether that changed anything. */
  join(other: Environment): boolean {
    let changed = false;
    for (const [name, value] of other.variables) {
      const known = this.variables.get(name);
      const next = known === undefined ? value : join(known, value);
      if (next === known) continue;
      changed = true;
      this.variables.set(name, next);
    }
    for (const [key, kinds] of this.checked) {
      const theirs = other.checked.get(key);
      if (theirs === undefined) this.checked.delete(key);
      else if (theirs !== kinds)
        this.checked.set(key, new Set([...kinds].filter((kind) => theirs.has(kind))));
    }
    return changed;
  }

  check(taints: readonly Taint[], kinds: readonly string[]): void {
    for (const taint of taints) {
      const key = identity(taint);
      this.checked.set(key, new Set([...(this.checked.get(key) ?? []), ...kinds]));
    }
  }

  /** Whether the input can still do harm in a sink of the kind. */
  threatens(taint: Taint, kind: string): boolean {
    const checked = this.checked.get(identity(taint));
    return ![taint.cleared, checked].some((kinds) => kinds?.has("*") || kinds?.has(kind));
  }
}
