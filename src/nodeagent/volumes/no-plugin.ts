import replacedKinds from './replaced-kinds.json' with { type: 'json' };

/** Kinds without a driver in their place, and what serves instead. */
const others: Readonly<Record<string, string>> = {
  flocker: 'its maker has ended',
  photonPersistentDisk: 'its provider has ended',
};

const replacements: ReadonlyMap<string, string> = new Map([
  ...Object.entries(replacedKinds).map(([kind, driver]): [string, string] => [
    kind,
    `use the CSI driver ${driver}`,
  ]),
  ...Object.entries(others),
]);

/** The refusal of a volume of a kind that is not built in, in release 1.20's words, with what serves it. */
export function noPlugin(name: string, source: object): Error {
  const what = `failed to get Plugin from volumeSpec for volume "${name}" err=no volume plugin matched`;
  const fields = new Map(Object.entries(source));
  const kind = [...replacements.keys()].find((one) => (fields.get(one) ?? undefined) !== undefined);
  if (kind === undefined) return new Error(what);
  return new Error(`${what}: ${kind} is not built in, ${replacements.get(kind)}`);
}
