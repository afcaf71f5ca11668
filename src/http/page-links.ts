/** The Link header of a paged list (RFC 8288): first, prev, next and last, with the list's other parameters kept. */

export function pageLinks(o: {
  url: string;
  /** The list's parameters, of which `page` is replaced. */
  query: Readonly<Record<string, string | number>>;
  page: number;
  perPage: number;
  total: number;
}): string {
  const last = Math.max(1, Math.ceil(o.total / o.perPage));
  const parameters = Object.entries({ ...o.query, page: 1 });
  const link = (to: number, rel: string) => {
    const pairs = parameters.map(
      ([name, value]) => `${name}=${name === "page" ? to : encodeURIComponent(value)}`,
    );
    return `<${o.url}?${pairs.join("&")}>; rel="${rel}"`;
  };
  return [
    link(1, "first"),
    ...(o.page > 1 ? [link(Math.min(o.page - 1, last), "prev")] : []),
    ...(o.page < last ? [link(o.page + 1, "next")] : []),
    link(last, "last"),
  ].join(", ");
}
