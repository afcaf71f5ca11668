/** Which methods an address knows; asked only when no route matched. */

export interface RouteList {
  /** Sorted, with OPTIONS and, beside GET, HEAD; empty when the address is unknown. */
  methodsAt(path: string): readonly string[];
}

export function createRouteList(routes: readonly { method: string; path: string }[]): RouteList {
  const patterns = routes.map(({ method, path }) => ({ method, pattern: patternOf(path) }));
  return {
    methodsAt(path) {
      const methods = new Set(patterns.filter((p) => p.pattern.test(path)).map((p) => p.method));
      if (methods.size === 0) return [];
      if (methods.has("GET")) methods.add("HEAD");
      return [...methods.add("OPTIONS")].sort();
    },
  };
}

/** `/v1/reviews/:id` matches one segment in the parameter's place, and a slash at the end as the router does. */
function patternOf(path: string): RegExp {
  const literal = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replace(/:[A-Za-z]+/g, "[^/]+")}/?$`);
}
