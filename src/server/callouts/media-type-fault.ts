const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+/;
const parameter =
  /^\s*;\s*([!#$%&'*+\-.^_`|~0-9A-Za-z]+)\s*=\s*(?:"(?:[^"\\\r\n]|\\.)*"|[!#$%&'*+\-.^_`|~0-9A-Za-z]+)/;

/** Why a media type cannot be read, in the words of Go's `mime.ParseMediaType`; undefined when it can. */
export function mediaTypeFault(text: string): string | undefined {
  const [base = ''] = text.split(';', 1);
  return baseFault(base.trim()) ?? parametersFault(text.slice(base.length));
}

function baseFault(base: string): string | undefined {
  const [type = ''] = token.exec(base) ?? [];
  if (type === '') return 'mime: no media type';
  const rest = base.slice(type.length);
  if (rest === '') return undefined;
  if (!rest.startsWith('/')) return 'mime: expected slash after first token';
  const [subtype = ''] = token.exec(rest.slice(1)) ?? [];
  if (subtype === '') return 'mime: expected token after slash';
  return rest.length > 1 + subtype.length ? 'mime: unexpected content after media subtype' : undefined;
}

function parametersFault(text: string): string | undefined {
  const names = new Set<string>();
  let rest = text;
  while (rest.trimStart() !== '') {
    const [found = '', name = ''] = parameter.exec(rest) ?? [];
    if (found === '') return rest.trim() === ';' ? undefined : 'mime: invalid media parameter';
    if (names.has(name.toLowerCase())) return 'mime: duplicate parameter name';
    names.add(name.toLowerCase());
    rest = rest.slice(found.length);
  }
  return undefined;
}
