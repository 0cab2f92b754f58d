import { expect } from 'chai';
import type { Clock } from '../../../../src/base/index.ts';
import type { PendingEvent } from '../../../../src/server/audit/audit-event.ts';
import { AuditLog } from '../../../../src/server/audit/audit-log.ts';
import {
  type AuditAnnotationNames,
  AuditRecord,
  maxRecordedBytes,
} from '../../../../src/server/audit/audit-record.ts';
import { anonymousUser } from '../../../../src/server/authentication/authenticator.ts';
import { makeExchange } from '../../../support/exchange.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';

const names: AuditAnnotationNames = {
  decision: 'decision',
  reason: 'reason',
  deprecated: 'deprecated',
  removedRelease: 'removed',
  truncated: 'truncated',
};

const recordOf = (level: 'Metadata' | 'Request' | 'RequestResponse' = 'Metadata', url = '/version') =>
  new AuditRecord(makeExchange({ url }), {
    choice: { level, omitsStage: () => false },
    names,
    isRefused: false,
  });

const eventOf = (record: AuditRecord): PendingEvent => ({
  record,
  stage: 'ResponseComplete',
  code: 200,
  user: anonymousUser,
  atMs: 5,
});

/** A clock whose timers end when the test says so. */
function createManualClock() {
  const timers: (() => void)[] = [];
  let nowMs = 0;
  const clock: Clock = {
    nowMs: () => nowMs,
    setTimer(_delayMs, callback) {
      timers.push(callback);
      return () => void timers.splice(timers.indexOf(callback), 1);
    },
  };
  return {
    clock,
    timers,
    advance(ms: number) {
      nowMs += ms;
    },
  };
}

function createLog(options: { maxEvents?: number; maxBytes?: number; fails?: boolean } = {}) {
  const { fails = false, ...bounds } = options;
  const written: string[] = [];
  const manual = createManualClock();
  const logger = createRecordingLogger();
  let lost = 0;
  const log = new AuditLog({
    ...bounds,
    clock: manual.clock,
    logger,
    context: { apiVersion: 'audit/v1', readBody: (bytes) => JSON.parse(bytes.toString()) },
    onLost(count) {
      lost += count;
    },
    async append(lines) {
      if (fails) throw new Error('disk full');
      written.push(lines);
    },
  });
  return { ...manual, log, logger, written, lost: () => lost };
}

describe('AuditLog', () => {
  it('gathers events and writes them together, in order', async () => {
    const { log, written, timers } = createLog();
    for (const url of ['/a', '/b', '/c']) log.add(eventOf(recordOf('Metadata', url)));
    expect(timers).to.have.length(1);
    expect(written).to.deep.equal([]);
    await log.flush();
    expect(written).to.have.length(1);
    const uris = written
      .join('')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).requestURI);
    expect(uris).to.deep.equal(['/a', '/b', '/c']);
    expect(timers).to.deep.equal([]);
  });

  it('writes no batch without a bound', async () => {
    const { log, written } = createLog();
    for (let index = 0; index < 500; index++) log.add(eventOf(recordOf()));
    await log.flush();
    expect(written.map((lines) => lines.trimEnd().split('\n').length)).to.deep.equal([200, 200, 100]);
  });

  it('loses what is too much, and complains once a minute', async () => {
    const { log, written, lost, logger, advance } = createLog({ maxEvents: 2 });
    for (let index = 0; index < 5; index++) log.add(eventOf(recordOf()));
    expect(lost()).to.equal(3);
    expect(logger.lines.map(({ message, fields }) => [message, fields.count])) //
      .to.deep.equal([['audit events dropped', 1]]);
    advance(60_000);
    log.add(eventOf(recordOf()));
    expect(logger.lines[1]?.fields.count).to.equal(3);
    await log.flush();
    expect(written.join('').trimEnd().split('\n')).to.have.length(2);
  });

  it('holds no more bytes than it may', async () => {
    const { log, lost } = createLog({ maxBytes: 10_000 });
    log.add(eventOf(recordOf('Metadata', `/${'x'.repeat(8000)}`)));
    log.add(eventOf(recordOf('Metadata', `/${'x'.repeat(8000)}`)));
    expect(lost()).to.equal(1);
    await log.flush();
    log.add(eventOf(recordOf('Metadata', `/${'x'.repeat(8000)}`)));
    expect(lost()).to.equal(1);
  });

  it('counts what cannot be written as lost', async () => {
    const { log, lost } = createLog({ fails: true });
    log.add(eventOf(recordOf()));
    log.add(eventOf(recordOf()));
    await log.flush();
    expect(lost()).to.equal(2);
  });
});

describe('AuditRecord', () => {
  const body = Buffer.from('{"kind":"Secret","data":{"a":"b"}}');

  for (const [level, request, response] of [
    ['Metadata', false, false],
    ['Request', true, false],
    ['RequestResponse', true, true],
  ] as const) {
    it(`keeps of bodies what level ${level} asks for`, () => {
      const record = recordOf(level);
      record.noteRequestBody(body);
      record.noteResponseBody(body);
      expect([record.requestBody, record.responseBody].map((kept) => kept !== undefined)) //
        .to.deep.equal([request, response]);
    });
  }

  it('says that a body was too large', () => {
    const record = recordOf('RequestResponse');
    record.noteRequestBody(Buffer.alloc(maxRecordedBytes + 1));
    record.noteResponseBody(undefined);
    expect(record.annotations).to.deep.equal({ truncated: 'true' });
    expect(record.sizeBytes).to.be.below(5000);
  });

  it('names no release for an API that goes in none yet', () => {
    const record = recordOf();
    record.noteDeprecated('');
    expect(record.annotations).to.deep.equal({ deprecated: 'true' });
  });
});
