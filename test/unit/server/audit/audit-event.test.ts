import { expect } from 'chai';
import fc from 'fast-check';
import { encodeHeader } from '../../../../src/base/index.ts';
import { unauthorized } from '../../../../src/machinery/errors/index.ts';
import { formatEvent } from '../../../../src/server/audit/audit-event.ts';
import { AuditRecord } from '../../../../src/server/audit/audit-record.ts';
import type { AuditBackend } from '../../../../src/server/audit/audit-sink.ts';
import {
  createLogBackend,
  createWebhookBackend,
  formatLegacyLine,
} from '../../../../src/server/audit/deliver.ts';
import type { TruncateLimits } from '../../../../src/server/audit/encode-events.ts';
import type { AuditLevel, AuditStage } from '../../../../src/server/audit/policy.ts';
import { parseTarget } from '../../../../src/server/request/path.ts';
import { makeExchange } from '../../../support/exchange.ts';

const names = {
  decision: 'decision',
  reason: 'reason',
  deprecated: 'deprecated',
  removedRelease: 'removed',
  truncated: 'truncated',
};
const user = { name: 'ann', uid: 'u1', groups: ['devs', 'a "b"'], extra: {} };
const other = { name: 'bob', uid: '', groups: [], extra: {} };
const url = '/apis/apps/v1/namespaces/n/deployments';
const readBody = (bytes: Buffer): string => bytes.toString();
const v1 = { version: 'v1', apiVersion: 'audit/v1', readBody } as const;

interface Given {
  readonly level?: AuditLevel;
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly omits?: readonly AuditStage[];
  readonly isRefused?: boolean;
}

function recordOf(given: Given = {}): AuditRecord {
  const { level = 'RequestResponse', method = 'POST', headers = {}, omits = [], isRefused = false } = given;
  const exchange = makeExchange({ method, url: given.url ?? url, headers });
  exchange.user = user;
  return new AuditRecord(exchange, {
    choice: { level, omitsStage: (stage) => omits.includes(stage) },
    names,
    isRefused,
  });
}

const eventOf = (
  record: AuditRecord,
  stage: AuditStage = 'ResponseComplete',
  code: number | undefined = 201,
) => ({
  record,
  stage,
  code: stage === 'RequestReceived' ? undefined : code,
  user,
  atMs: 1_600_000_000_123,
});

const read = (...given: Parameters<typeof formatEvent>) => JSON.parse(formatEvent(...given) ?? 'null');

describe('formatEvent', () => {
  it('says of an arrival what its head says', () => {
    const record = recordOf();
    record.noteDecision({ isAllowed: true, reason: 'r' });
    record.noteObject({ apiVersion: 'apps/v1', metadata: { name: 'd' } });
    const event = read(eventOf(record, 'RequestReceived'), v1);
    expect(event.objectRef).to.deep.equal({
      resource: 'deployments',
      namespace: 'n',
      apiGroup: 'apps',
      apiVersion: 'v1',
    });
    expect(event).not.to.have.any.keys('annotations', 'requestObject', 'responseStatus');
    expect(event.user).to.deep.equal({ username: 'ann', uid: 'u1', groups: user.groups });
    expect(event.stageTimestamp).to.equal('2020-09-13T12:26:40.123000Z');
  });

  it('names objects, versions and times as each version of events does', () => {
    const event = eventOf(recordOf());
    expect(read(event, v1)).not.to.have.any.keys('metadata', 'timestamp');
    const beta = read(event, { ...v1, version: 'v1beta1', apiVersion: 'audit/v1beta1' });
    expect(beta.metadata).to.deep.equal({ creationTimestamp: '2020-09-13T12:26:40Z' });
    expect(beta.timestamp).to.match(/^[^.]{19}Z$/);
    const alpha = read(event, { ...v1, version: 'v1alpha1', apiVersion: 'audit/v1alpha1' });
    expect(alpha.objectRef.apiVersion).to.equal('apps/v1');
    expect(alpha.objectRef).not.to.have.property('apiGroup');
  });

  const levels: readonly (readonly [AuditLevel, boolean, boolean])[] = [
    ['Metadata', false, false],
    ['Request', true, false],
    ['RequestResponse', true, true],
  ];
  for (const [level, request, response] of levels) {
    it(`has the objects that level ${level} asks for`, () => {
      const record = recordOf({ level });
      record.noteObject({ apiVersion: 'apps/v1', metadata: { name: 'd', resourceVersion: '7', uid: 'x' } });
      record.noteResponseBody(Buffer.from('{"kind":"Deployment"}'));
      const event = read(eventOf(record), v1);
      expect(['requestObject' in event, 'responseObject' in event]).to.deep.equal([request, response]);
      expect(event.objectRef).to.deep.include({ name: 'd', resourceVersion: '7', uid: 'x' });
    });
  }

  it('leaves out objects of other groups than the request, such as scales', () => {
    const record = recordOf();
    record.noteObject({ apiVersion: 'autoscaling/v1', metadata: { name: 'd' } });
    expect(read(eventOf(record), v1)).not.to.have.property('requestObject');
  });

  it('shows options of deletions in the version of the request', () => {
    const record = recordOf({ method: 'DELETE' });
    record.noteDeleteOptions({ kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 });
    const options = { kind: 'DeleteOptions', apiVersion: 'apps/v1', gracePeriodSeconds: 0 };
    expect(read(eventOf(record), v1).requestObject).to.deep.equal(options);
  });

  it('has patches as they were sent, with all their digits', () => {
    const record = recordOf({ method: 'PATCH' });
    record.noteObject({ apiVersion: 'v1', metadata: {} });
    record.notePatch(Buffer.from('[{"op":"add",\n"value":12345678901234567890}]'));
    expect(formatEvent(eventOf(record), v1)).to.contain(
      '"requestObject":[{"op":"add","value":12345678901234567890}]',
    );
  });

  it('fails for a patch that is no JSON, when at least its arrival was recorded', () => {
    const patched = (omits: readonly AuditStage[]) => {
      const record = recordOf({ method: 'PATCH', omits });
      record.noteObject({ apiVersion: 'v1', metadata: {} });
      record.notePatch(Buffer.from('kind: Deployment\n'));
      return record;
    };
    expect(formatEvent(eventOf(patched([])), v1)).to.equal(undefined);
    expect(formatEvent(eventOf(patched([]), 'RequestReceived'), v1)).not.to.equal(undefined);
    expect(read(eventOf(patched(['RequestReceived'])), v1).responseStatus.code).to.equal(201);
  });

  it('says how a request ended', () => {
    const failed = recordOf();
    failed.noteStatus({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'secret',
      reason: 'Invalid',
      code: 422,
    });
    expect(read(eventOf(failed, 'ResponseComplete', 422), v1).responseStatus).to.deep.equal({
      metadata: {},
      status: 'Failure',
      reason: 'Invalid',
      code: 422,
    });
    const left = { ...eventOf(recordOf()), code: undefined };
    expect(read(left, v1).responseStatus.message).to.equal('Connection closed early');
    const broken = recordOf();
    broken.notePanic(new TypeError('a secret'));
    expect(read(eventOf(broken, 'Panic', 500), v1).responseStatus).to.deep.equal({
      metadata: {},
      status: 'Failure',
      message: "APIServer panic'd: TypeError",
      reason: 'InternalError',
      code: 500,
    });
  });

  const attempts: [target: string, authorization: string | undefined, expected: string][] = [
    ['', undefined, 'no credentials provided'],
    ['', 'Basic YTpi', 'attempted: basic'],
    ['?access_token=x', 'Basic YTpi', 'attempted: basic, access_token'],
    ['', 'Basic YTpi!', 'no credentials provided'],
    ['', 'Basic YWI=', 'no credentials provided'],
    ['', 'Bearer x', 'attempted: bearer'],
    ['', 'bearer  x', 'attempted: bearer'],
    ['?access_token=%20', 'Bearer ', 'no credentials provided'],
    ['', 'Digest x', 'no credentials provided'],
  ];
  for (const [target, authorization, expected] of attempts) {
    it(`says of refused credentials in ${target} ${authorization}: ${expected}`, () => {
      const headers = authorization === undefined ? {} : { authorization };
      const refused = recordOf({ url: url + target, headers, isRefused: true });
      refused.noteStatus(unauthorized().status);
      const { responseStatus } = read(eventOf(refused, 'ResponseStarted', 401), v1);
      expect(responseStatus.message).to.equal(`Authentication failed, ${expected}`);
    });
  }

  it('shows no answer that was written past the negotiation', () => {
    const record = recordOf();
    record.noteResponseBody(Buffer.from('{"kind":"Status"}'));
    expect(read(eventOf(record, 'ResponseComplete', 406), v1)).not.to.have.property('responseObject');
  });

  it('sorts annotations, and keeps the first value of each', () => {
    const record = recordOf();
    record.noteAnnotation('z', '1');
    record.noteAnnotation('a', '1');
    record.noteAnnotation('z', '2');
    record.noteAnnotation('__proto__', 'x');
    expect(formatEvent(eventOf(record), v1)).to.contain('"annotations":{"__proto__":"x","a":"1","z":"1"}');
  });

  it('says what was asked for in canonical JSON, whatever clients write into paths, methods and headers', () => {
    const word = fc.oneof(
      fc.stringMatching(/^[a-z.-]{1,8}$/),
      fc.constantFrom(
        '%22',
        '%5c',
        '%0a',
        '%C3%A4',
        'a"b',
        'a\\b',
        'é',
        '\u2028',
        "'",
        '%',
        'a+b',
        '__proto__',
      ),
    );
    const target = fc
      .tuple(fc.constantFrom('/api/v1', '/apis/apps/v1', '', '/apis'), fc.array(word, { maxLength: 5 }), word)
      .map(([start, words, query]) => `${[start, ...words].join('/') || '/'}?x=${query}`);
    const method = fc.constantFrom('GET', 'POST', 'DELETE', 'QU"ERY');
    fc.assert(
      fc.property(target, method, word, word, (path, verb, agent, annotation) => {
        if (parseTarget(path) === undefined) return;
        const record = recordOf({
          level: 'Metadata',
          method: verb,
          url: path,
          headers: { 'user-agent': encodeHeader(agent) },
        });
        record.noteDecision({ isAllowed: false, reason: agent });
        record.noteAnnotation(annotation, agent);
        const text = formatEvent(eventOf(record, 'ResponseComplete', 403), v1) ?? '';
        const event = JSON.parse(text);
        expect(text).to.equal(JSON.stringify(event));
        const { info } = record.exchange;
        expect([event.requestURI, event.verb, event.userAgent]).to.deep.equal([path, info.verb, agent]);
        const kept = { resource: '', namespace: '', name: '', subresource: '', ...event.objectRef };
        const { resource, namespace, name, subresource, group, version } = info;
        if (!info.isResource) expect(event).not.to.have.property('objectRef');
        else
          expect(kept).to.deep.equal({
            resource,
            namespace,
            name,
            subresource,
            ...(group !== '' && { apiGroup: group }),
            apiVersion: version,
          });
        expect(Object.entries(event.annotations)).to.deep.equal(
          [
            [annotation, agent],
            ['decision', 'forbid'],
            ['reason', agent],
          ].sort(),
        );
      }),
    );
  });

  it('tells users of one name apart', () => {
    const users = [
      { name: 'ann', uid: '', groups: [], extra: {} },
      { name: 'ann', uid: 'u', groups: [], extra: {} },
      { name: 'ann', uid: '', groups: ['a'], extra: {} },
      { name: 'ann', uid: '', groups: ['b'], extra: {} },
      { name: 'ann', uid: '', groups: ['a', 'b'], extra: {} },
      { name: 'ann', uid: '', groups: ['b'], extra: { scopes: ['x'] } },
      { name: 'ann', uid: '', groups: ['b'], extra: { scopes: ['y'] } },
    ];
    for (const each of [...users, ...users.reverse()]) {
      const shown = read({ ...eventOf(recordOf()), user: each }, v1).impersonatedUser;
      const { uid = '', groups = [], extra = {}, username } = shown;
      expect({ name: username, uid, groups, extra }).to.deep.equal(each);
    }
  });

  it('marks the arrival of a request as truncated without other annotations', () => {
    const record = recordOf();
    record.noteDecision({ isAllowed: true, reason: 'r' });
    const cut = { ...v1, truncated: 'cut' };
    expect(read(eventOf(record, 'RequestReceived'), cut).annotations).to.deep.equal({ cut: 'true' });
    const all = { cut: 'true', decision: 'allow', reason: 'r' };
    expect(read(eventOf(record), cut).annotations).to.deep.equal(all);
  });

  const forwarded: readonly (readonly [Record<string, string>, string[]])[] = [
    [{}, ['127.0.0.1']],
    [{ 'x-forwarded-for': '1.2.3.4, nonsense, 5.6.7.8' }, ['1.2.3.4', '5.6.7.8', '127.0.0.1']],
    [{ 'x-forwarded-for': '127.0.0.1' }, ['127.0.0.1']],
    [{ 'x-real-ip': '9.9.9.9' }, ['9.9.9.9', '127.0.0.1']],
    [{ 'x-forwarded-for': '9.9.9.9', 'x-real-ip': '9.9.9.9' }, ['9.9.9.9', '127.0.0.1']],
  ];
  for (const [headers, expected] of forwarded) {
    it(`finds the addresses of ${JSON.stringify(headers)}`, () => {
      const record = recordOf({ headers });
      Object.defineProperty(record, 'peerAddress', { value: '::ffff:127.0.0.1' });
      expect(read(eventOf(record), v1).sourceIPs).to.deep.equal(expected);
    });
  }
});

describe('formatLegacyLine', () => {
  it('has who did what where in one line', () => {
    const record = recordOf();
    const time = new Date(record.exchange.startedAtMs).toISOString().replace(/\.?0*Z$/, 'Z');
    const tail = `id="${record.exchange.auditId}" stage="ResponseComplete" ip="<unknown>" method="create" user="ann" `;
    expect(formatLegacyLine(eventOf(record)).replace(/ip="[^"]*"/, 'ip="<unknown>"')).to.equal(
      `${time} AUDIT: ${tail}groups="\\"devs\\",\\"a \\\\\\"b\\\\\\"\\"" as="<self>" asgroups="<lookup>" namespace="n" uri="${url}" response="201"`,
    );
    const impersonated = formatLegacyLine({ ...eventOf(record, 'RequestReceived'), user: other });
    expect(impersonated).to.match(/ as="bob" asgroups="" .* response="<deferred>"$/);
  });
});

describe('truncation', () => {
  const limits: TruncateLimits = { maxEventBytes: 900, maxBatchBytes: 1500 };
  const lost: string[] = [];
  const encoder = {
    context: v1,
    limits,
    truncated: 'cut',
    onLost: (reason: string) => void lost.push(reason),
  };
  const sized = (bytes: number, path = url): AuditRecord => {
    const record = recordOf({ url: path });
    record.noteResponseBody(Buffer.from(`{"kind":"${'x'.repeat(bytes)}"}`));
    return record;
  };

  const deliver = async (backend: AuditBackend, records: readonly AuditRecord[]): Promise<void> => {
    const batch = backend.startBatch();
    for (const record of records) {
      const text = backend.encode(eventOf(record));
      if (text !== undefined) batch.add(text);
    }
    await batch.deliver();
  };

  it('takes objects from events that are too large, and loses those for which that is not enough', async () => {
    const lines: string[] = [];
    const backend = createLogBackend({
      encoder,
      format: 'json',
      async append(bytes) {
        lines.push(...bytes.toString().trimEnd().split('\n'));
      },
    });
    const records = [sized(10), sized(1000), sized(10, `${url}?${'x'.repeat(1000)}`)];
    await deliver(backend, records);
    const events = lines.map((line) => JSON.parse(line));
    expect(events.map(({ responseObject, annotations }) => [responseObject !== undefined, annotations])) //
      .to.deep.equal([
        [true, undefined],
        [false, { cut: 'true' }],
      ]);
    expect(lost).to.deep.equal(['event is too large even after truncating']);
  });

  it('splits batches that are too large', async () => {
    const posted: string[] = [];
    const backend = createWebhookBackend({
      encoder,
      async post(body) {
        posted.push(body);
      },
    });
    const records = [1, 2, 3, 4, 5].map(() => sized(10));
    await deliver(backend, records);
    const lists = posted.map((body) => JSON.parse(body));
    expect(lists.map(({ kind, items }) => [kind, items.length])) //
      .to.deep.equal([
        ['EventList', 2],
        ['EventList', 2],
        ['EventList', 1],
      ]);
    expect(lists[0].items[0]).not.to.have.any.keys('kind', 'apiVersion');
    expect(lists[0].items[0].level).to.equal('RequestResponse');
  });
});
