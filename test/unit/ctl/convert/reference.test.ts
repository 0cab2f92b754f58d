import { expect } from 'chai';
import {
  type ConverterCase,
  converterCaseFiles,
  readConverterCases,
  spellAll,
  unspellAll,
} from '../../../support/converter-cases.ts';
import { run } from '../support/run.ts';

type Json = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isEmpty = (value: unknown): boolean =>
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isFields(value) && Object.values(value).every(isEmpty));
/** A status that a server would make anew: nothing but zeros, or that of a claim that waits. */
const isNoStatus = (value: unknown): boolean =>
  isFields(value)
    ? Object.values(value).every(isNoStatus)
    : value === null || value === 0 || value === '' || value === false || value === 'Pending';

/** What the two may say differently: see the table in docs/convert.md. */
function isKnown(path: string, theirs: unknown, ours: unknown): boolean {
  if (ours === undefined)
    return (
      (isEmpty(theirs) && (theirs === null || !/selector$/i.test(path))) ||
      (path.endsWith('.status') && isNoStatus(theirs)) ||
      (/^\.\d+\.metadata\.annotations$/.test(path) &&
        JSON.stringify(theirs) === '{"deprecated.daemonset.template.generation":"0"}')
    );
  // The reference means to set it and does not; its server does when it reads the result.
  return (
    theirs === undefined &&
    /^\.\d+\.spec\.(in|e)gress\.\d+\.ports\.\d+\.protocol$/.test(path) &&
    ours === 'TCP'
  );
}

function differences(theirs: unknown, ours: unknown, path = ''): string[] {
  const bothFields = isFields(theirs) && isFields(ours);
  if (bothFields || (Array.isArray(theirs) && Array.isArray(ours))) {
    const [first, second] = [theirs as Json, ours as Json]; // lists are compared by index
    const names = new Set([...Object.keys(first), ...Object.keys(second)]);
    return [...names].flatMap((name) => differences(first[name], second[name], `${path}.${name}`));
  }
  return theirs === ours || isKnown(path, theirs, ours)
    ? []
    : [`${path}: ${JSON.stringify(theirs)} there, ${JSON.stringify(ours)} here`];
}

async function convert(document: Json, version: string | undefined) {
  const target = version === undefined ? [] : [`--output-version=${spellAll(version)}`];
  const args = ['--dialect=kubernetes', 'convert', '-f', '-', '-o', 'json', ...target];
  const { code, out, err } = await run(args, { stdin: JSON.stringify(spellAll(document)) });
  expect({ code, err: code === 0 ? '' : err }).to.deep.equal({ code: 0, err: '' });
  return { object: unspellAll(JSON.parse(out) as Json), notes: err };
}

/** Lists stay what they are here; there they become one list of anything, or their only item. */
function itemsOf(object: Json): readonly unknown[] {
  const { apiVersion, kind, items } = object;
  if (!Array.isArray(items)) return [object];
  return items.map((item: Json) => ({
    ...(kind !== 'List' && { apiVersion, kind: String(kind).slice(0, -'List'.length) }),
    ...item,
  }));
}

async function check({ document, version, recorded }: ConverterCase): Promise<void> {
  expect(recorded, 'recorded answer').to.not.equal(undefined);
  if (recorded === undefined) return;
  const ours = await convert(document, version);
  if ('error' in recorded) {
    // A kind that they do not know, or a version that the kind lacks, which is told here.
    expect(recorded.error).to.match(/no kind .*is registered|is not suitable for converting/);
    if (/is not suitable|no kind "(DaemonSet|ReplicaSet|NetworkPolicy)"/.test(recorded.error))
      expect(ours.notes).to.match(/^Note: .* has no \w+; (converted to|it stays in) /m);
    return;
  }
  const theirs = itemsOf(recorded.object) as readonly { apiVersion: string }[];
  const [first] = theirs;
  if (first?.apiVersion === document.apiVersion) return;
  // Where the reference prefers another version, usually an older one, the result in that one is compared.
  const isOther = version === undefined && first?.apiVersion !== (itemsOf(ours.object)[0] as Json).apiVersion;
  const { object } = isOther ? await convert(document, first?.apiVersion) : ours;
  expect(differences(theirs, itemsOf(object)).join('\n')).to.equal('');
}

describe("ctl convert and the answers of the release's own converter", function () {
  this.timeout(60_000);
  for (const name of converterCaseFiles) {
    it(`agree about ${name} but for what is documented`, async () => {
      const file = await readConverterCases(name);
      expect(file.cases).to.not.be.empty;
      for (const one of file.cases) {
        try {
          await check(one);
        } catch (error) {
          throw new Error(`${one.name}: ${error instanceof Error ? error.message : String(error)}`, {
            cause: error,
          });
        }
      }
    });
  }
});
