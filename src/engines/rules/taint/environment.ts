/** What is known at one point of a function: its variables, and which input has been checked on the way there. */
import { commonKinds, identity, join, type Taint, type Value, withCleared } from "./value.ts";

type Variables = Map<string, Value>;
type Checks = Map<string, ReadonlySet<string>>;

const nothing: ReadonlySet<string> = new Set();

/** Copies share what they know until one of them changes. */
export class Environment {
  private variables: Variables;
  /** Identity of checked input → the kinds of sinks that it is harmless to. */
  private checked: Checks;
  private sharesVariables = false;
  private sharesChecked = false;

  constructor(variables: Variables = new Map(), checked: Checks = new Map()) {
    this.variables = variables;
    this.checked = checked;
  }

  get(name: string): Value | undefined {
    return this.variables.get(name);
  }

  set(name: string, value: Value): void {
    this.ownVariables().set(name, value);
  }

  /** Forgets what was known about the parts of `name`: `name.part`. */
  forgetParts(name: string): void {
    const parts = [...this.variables.keys()].filter((known) => known.startsWith(`${name}.`));
    for (const part of parts) this.ownVariables().delete(part);
  }

  /** What is known of the parts of `name`, by their own names. */
  partsOf(name: string): Map<string, Value> {
    const parts = new Map<string, Value>();
    for (const [known, value] of this.variables) {
      if (known.startsWith(`${name}.`)) parts.set(known.slice(name.length + 1), value);
    }
    return parts;
  }

  clone(): Environment {
    return this.enter(this);
  }

  /** For a function that is called from here: its own variables, and the checks made so far. */
  enter(from: Environment): Environment {
    const inside = new Environment(this.variables, from.checked);
    this.sharesVariables = true;
    from.sharesChecked = true;
    inside.sharesVariables = true;
    inside.sharesChecked = true;
    return inside;
  }

  become(other: Environment): void {
    this.variables = other.variables;
    this.checked = other.checked;
    this.sharesVariables = true;
    this.sharesChecked = true;
    other.sharesVariables = true;
    other.sharesChecked = true;
  }

  /**
   * Both may have happened. Whether that changed anything. A check of one way alone holds for the values of that way:
   * in `if (!ok(x)) x = "a"` it says of `x` what it does not say of the input.
   */
  join(other: Environment): boolean {
    const [ours, theirs] = [this.checked, other.checked];
    this.joinChecks(other);
    if (this.variables === other.variables) return false;
    let changed = false;
    for (const [name, given] of other.variables) {
      const known = this.variables.get(name);
      if (known === given) continue;
      const value = this.withLost(given, theirs);
      const next = known === undefined ? value : join(this.withLost(known, ours), value);
      if (next === known) continue;
      changed = true;
      this.set(name, next);
    }
    return changed;
  }

  /** The value with the checks that were made on its way and are not known here. */
  private withLost(value: Value, made: Checks): Value {
    if (made === this.checked) return value;
    return withCleared(value, (taint) => {
      const kinds = made.get(identity(taint));
      return kinds?.difference(this.checked.get(identity(taint)) ?? nothing);
    });
  }

  /** What was checked on both ways is checked. */
  joinChecks(other: Environment): void {
    if (this.checked === other.checked) return;
    const both: Checks = new Map();
    for (const [key, kinds] of this.checked) {
      const theirs = other.checked.get(key);
      if (theirs !== undefined) both.set(key, theirs === kinds ? kinds : commonKinds(kinds, theirs));
    }
    this.checked = both;
    this.sharesChecked = false;
  }

  /** What was checked there is checked here. */
  adoptChecks(other: Environment): void {
    this.checked = other.checked;
    this.sharesChecked = true;
    other.sharesChecked = true;
  }

  private ownVariables(): Variables {
    if (this.sharesVariables) this.variables = new Map(this.variables);
    this.sharesVariables = false;
    return this.variables;
  }

  check(taints: readonly Taint[], kinds: readonly string[]): void {
    if (taints.length > 0 && this.sharesChecked) this.checked = new Map(this.checked);
    if (taints.length > 0) this.sharesChecked = false;
    for (const taint of taints) {
      const key = identity(taint);
      this.checked.set(key, new Set([...(this.checked.get(key) ?? []), ...kinds]));
    }
  }

  /** Kinds of sinks that the input was found harmless to on the way here. */
  checksOf(taint: Taint): ReadonlySet<string> | undefined {
    return this.checked.get(identity(taint));
  }

  /** Whether the input can still do harm in a sink of the kind. */
  threatens(taint: Taint, kind: string): boolean {
    const checked = this.checked.get(identity(taint));
    return ![taint.cleared, checked].some((kinds) => kinds?.has("*") || kinds?.has(kind));
  }
}
