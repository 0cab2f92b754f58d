import { expect } from 'chai';
import {
  type DeleteBody,
  parseDeleteOptions,
  parseIntQuery,
  parseListQuery,
  parsePatchQuery,
  parseWriteQuery,
} from '../../../../src/server/request/options.ts';
import { expectStatus } from '../../../support/expect-status.ts';

const metaGroup = 'meta.orch.io';
const query = (text: string) => new URLSearchParams(text);

describe('parseWriteQuery', () => {
  const cases: [text: string, expected: object][] = [
    ['', { isDryRun: false, fieldManager: '' }],
    ['dryRun=All', { isDryRun: true, fieldManager: '' }],
    ['dryRun=All&dryRun=All', { isDryRun: true, fieldManager: '' }],
    ['fieldManager=me', { isDryRun: false, fieldManager: 'me' }],
    [`fieldManager=${'x'.repeat(128)}`, { isDryRun: false, fieldManager: 'x'.repeat(128) }],
  ];
  for (const [text, expected] of cases) {
    it(`reads ${text || 'nothing'}`.slice(0, 60), () => {
      expect(parseWriteQuery(query(text), 'CreateOptions', metaGroup)).to.deep.equal(expected);
    });
  }

  const wrong: [text: string, field: string, message: string][] = [
    ['dryRun=Some', 'dryRun', 'Unsupported value: []string{"Some"}: supported values: "All"'],
    ['dryRun=All&dryRun=x', 'dryRun', 'Unsupported value: []string{"All", "x"}: supported values: "All"'],
    ['dryRun=', 'dryRun', 'Unsupported value: []string{""}: supported values: "All"'],
    [`fieldManager=${'x'.repeat(129)}`, 'fieldManager', 'Too long: must have at most 128 bytes'],
    [`fieldManager=${'€'.repeat(43)}`, 'fieldManager', 'Too long: must have at most 128 bytes'],
    [
      'fieldManager=a%01b',
      'fieldManager',
      'Invalid value: "a\\x01b": invalid character U+0001 (at position 1)',
    ],
  ];
  for (const [text, field, message] of wrong) {
    it(`refuses ${text}`.slice(0, 60), async () => {
      const parse = () => parseWriteQuery(query(text), 'PatchOptions', metaGroup);
      const status = await expectStatus(parse, { code: 422, reason: 'Invalid' });
      expect(status.details).to.include({ group: metaGroup, kind: 'PatchOptions' });
      const [cause] = status.details?.causes ?? [];
      expect([cause?.field, cause?.message]).to.deep.equal([field, message]);
    });
  }
});

describe('parsePatchQuery', () => {
  const me = { isDryRun: false, fieldManager: 'me' };
  const cases: [text: string, isApply: boolean, expected: object][] = [
    ['', false, { isDryRun: false, fieldManager: '', isForced: false }],
    ['fieldManager=me', true, { ...me, isForced: false }],
    ['fieldManager=me&force=false', true, { ...me, isForced: false }],
    ['fieldManager=me&force=true', true, { ...me, isForced: true }],
  ];
  for (const [text, isApply, expected] of cases) {
    it(`reads ${text || 'nothing'} of ${isApply ? 'an apply' : 'another patch'}`, () => {
      expect(parsePatchQuery(query(text), isApply, metaGroup)).to.deep.equal(expected);
    });
  }

  const wrong: [text: string, isApply: boolean, field: string, message: string][] = [
    ['', true, 'fieldManager', 'Required value: is required for apply patch'],
    ['force=true', true, 'fieldManager', 'Required value: is required for apply patch'],
    ['force=true', false, 'force', 'Forbidden: may not be specified for non-apply patch'],
    ['force=false', false, 'force', 'Forbidden: may not be specified for non-apply patch'],
  ];
  for (const [text, isApply, field, message] of wrong) {
    it(`refuses ${text || 'nothing'} of ${isApply ? 'an apply' : 'another patch'}`, async () => {
      const status = await expectStatus(() => parsePatchQuery(query(text), isApply, metaGroup), {
        code: 422,
        reason: 'Invalid',
      });
      const [cause] = status.details?.causes ?? [];
      expect([cause?.field, cause?.message]).to.deep.equal([field, message]);
    });
  }
});

describe('parseIntQuery', () => {
  const good: [text: string, value: number | undefined][] = [
    ['', undefined],
    ['n=5', 5],
    ['n=-5', -5],
    ['n=%2B5', 5],
    ['n=007', 7],
    ['n=9223372036854775807', Number.MAX_SAFE_INTEGER],
    ['n=-9223372036854775808', Number.MIN_SAFE_INTEGER],
    ['n=%2B9007199254740993', Number.MAX_SAFE_INTEGER],
  ];
  for (const [text, value] of good) {
    it(`reads ${value} of "${text}"`, () => {
      expect(parseIntQuery(query(text), 'n')).to.equal(value);
    });
  }

  const bad: [value: string, problem: string][] = [
    ['', 'invalid syntax'],
    ['x', 'invalid syntax'],
    ['1.5', 'invalid syntax'],
    ['1e3', 'invalid syntax'],
    [' 1', 'invalid syntax'],
    ['9223372036854775808', 'value out of range'],
    ['-9223372036854775809', 'value out of range'],
    ['99999999999999999999', 'value out of range'],
  ];
  for (const [value, problem] of bad) {
    it(`refuses ${JSON.stringify(value)}`, () =>
      expectStatus(() => parseIntQuery(query(new URLSearchParams({ n: value }).toString()), 'n'), {
        code: 400,
        message: `strconv.ParseInt: parsing ${JSON.stringify(value)}: ${problem}`,
      }));
  }
});

describe('parseListQuery', () => {
  it('reads whether a watch begins with the state', () => {
    const read = (text: string) => parseListQuery(new URLSearchParams(text)).sendInitialEvents;
    expect(
      ['', 'sendInitialEvents=', 'sendInitialEvents=true', 'sendInitialEvents=false'].map(read),
    ).to.deep.equal([undefined, undefined, true, false]);
  });

  it('reads what is there', () => {
    const text = 'resourceVersion=5&resourceVersionMatch=Exact&limit=7&continue=c&timeoutSeconds=9&watch=1';
    expect(parseListQuery(query(text))).to.deep.equal({
      resourceVersion: '5',
      resourceVersionMatch: 'Exact',
      limit: 7,
      continueToken: 'c',
      isWatch: true,
      timeoutSeconds: 9,
    });
  });

  it('takes a limit below zero for none', () => {
    expect(parseListQuery(query('limit=-3')).limit).to.equal(0);
  });

  for (const name of ['limit', 'timeoutSeconds']) {
    it(`refuses a ${name} that is no number`, () =>
      expectStatus(() => parseListQuery(query(`${name}=x`)), { code: 400, reason: 'BadRequest' }));
  }
});

describe('parseDeleteOptions', () => {
  const parse = (text: string, body?: DeleteBody) => parseDeleteOptions(query(text), body, metaGroup);

  const cases: [
    name: string,
    text: string,
    body: DeleteBody | undefined,
    options: object,
    isDryRun: boolean,
  ][] = [
    ['nothing', '', undefined, {}, false],
    ['the query', 'gracePeriodSeconds=5', undefined, { gracePeriodSeconds: 5 }, false],
    ['a policy in the query', 'propagationPolicy=Orphan', undefined, { propagationPolicy: 'Orphan' }, false],
    ['the older policy', 'orphanDependents=true', undefined, { orphanDependents: true }, false],
    [
      'the body before the query',
      'gracePeriodSeconds=5',
      { gracePeriodSeconds: 1 },
      { gracePeriodSeconds: 1 },
      false,
    ],
    ['a dry run in the body', '', { dryRun: ['All'] }, {}, true],
    ['a dry run in the query', 'dryRun=All', undefined, {}, true],
    ['a dry run in the query beside a body', 'dryRun=All', {}, {}, true],
    [
      'preconditions in the query',
      'uid=u&resourceVersion=5',
      undefined,
      { preconditions: { uid: 'u', resourceVersion: '5' } },
      false,
    ],
    ['no preconditions where they are empty', 'uid=&resourceVersion=', undefined, {}, false],
    ['preconditions', '', { preconditions: { uid: 'u' } }, { preconditions: { uid: 'u' } }, false],
  ];
  for (const [name, text, body, options, isDryRun] of cases) {
    it(`reads ${name}`, () => {
      const parsed = parse(text, body);
      expect(JSON.parse(JSON.stringify(parsed.deleteOptions))).to.deep.equal(options);
      expect(parsed.isDryRun).to.equal(isDryRun);
    });
  }

  const wrong: [text: string, body: DeleteBody | undefined, messages: string[]][] = [
    [
      'propagationPolicy=No',
      undefined,
      ['Unsupported value: "No": supported values: "Foreground", "Background", "Orphan", "nil"'],
    ],
    [
      '',
      { propagationPolicy: 'Orphan', orphanDependents: true },
      ['Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set'],
    ],
    [
      'propagationPolicy=',
      undefined,
      ['Unsupported value: "": supported values: "Foreground", "Background", "Orphan", "nil"'],
    ],
    ['dryRun=', undefined, ['Unsupported value: []string{""}: supported values: "All"']],
    ['', { dryRun: ['x'] }, ['Unsupported value: []string{"x"}: supported values: "All"']],
  ];
  for (const [text, body, messages] of wrong) {
    it(`refuses ${text} ${JSON.stringify(body) ?? ''}`, async () => {
      const status = await expectStatus(() => parse(text, body), { code: 422, reason: 'Invalid' });
      expect(status.details?.causes?.map(({ message }) => message)).to.deep.equal(messages);
      expect(status.details).to.include({ group: metaGroup, kind: 'DeleteOptions' });
    });
  }

  it('refuses a grace period that is no number', () =>
    expectStatus(() => parse('gracePeriodSeconds=soon'), { code: 400 }));
});
