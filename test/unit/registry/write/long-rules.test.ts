import { expect } from 'chai';
import type { KindRules } from '../../../../src/apis/kind-rules.ts';
import type { TurnQueue } from '../../../../src/base/index.ts';
import { type FieldError, fieldPath, invalidValue } from '../../../../src/machinery/errors/index.ts';
import { createObject, updateObject } from '../../../../src/registry/index.ts';
import { expectStatus } from '../../../support/expect-status.ts';
import { TestRegistry, alice as user } from '../../../support/registry.ts';

const path = 'v1/configmaps';
const bytesOf = (value: object): Buffer => Buffer.from(JSON.stringify(value));

/** Rules whose work takes so many steps, and that find the errors given. */
function rulesWith(log: string[], rules: KindRules, errors: readonly FieldError[]): KindRules {
  return {
    ...rules,
    *compileSteps(_, old) {
      for (let step = 0; step < 3; step++) {
        log.push(`compile ${old === undefined ? 'new' : 'old'}`);
        yield;
      }
    },
    validate(object, context) {
      log.push('validate');
      return rules.validate?.(object, context) ?? [];
    },
    validateUpdate(object, old, context) {
      log.push('validate');
      return rules.validateUpdate?.(object, old, context) ?? [];
    },
    *validateSteps(_, old) {
      for (let step = 0; step < 2; step++) {
        log.push(`look ${old === undefined ? 'new' : 'old'}`);
        yield;
      }
      return [...errors];
    },
  };
}

describe('rules that take long', () => {
  let registry: TestRegistry;
  let log: string[];
  const turns: TurnQueue = {
    take: async () => {
      log.push('others');
    },
    push: (step) => step(),
  };
  const options = { user, isDryRun: false, turns };
  beforeEach(async () => {
    registry = await TestRegistry.open();
    log = [];
  });
  afterEach(() => registry[Symbol.asyncDispose]());

  const served = (errors: readonly FieldError[] = []) => {
    const kind = registry.served(path);
    return { ...kind, rules: rulesWith(log, kind.rules, errors) };
  };
  const create = (errors: readonly FieldError[] = []) =>
    createObject(served(errors), {
      namespace: 'default',
      body: {
        kind: 'bytes',
        bytes: bytesOf({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'm' } }),
        format: 'json',
      },
      manager: 'm',
      options,
    });
  const patch = (errors: readonly FieldError[] = []) =>
    updateObject(served(errors), {
      ...{ namespace: 'default', name: 'm', subresource: '', manager: 'm', options },
      change: { kind: 'patch', format: 'merge', bytes: bytesOf({ data: { a: 'b' } }) },
    });
  const stepsOf = (of: 'new' | 'old') => [
    ...[1, 2, 3].flatMap(() => [`compile ${of}`, 'others']),
    'validate',
    ...[1, 2].flatMap(() => [`look ${of}`, 'others']),
  ];
  const wrong = [invalidValue(fieldPath('data'), 'x', 'it is wrong')];

  it('let others go first between their steps, before and after an object is validated', async () => {
    await create();
    expect(log).to.deep.equal(stepsOf('new'));
    log.length = 0;
    await patch();
    expect(log).to.deep.equal(stepsOf('old'));
  });

  it('refuse what they find wrong', async () => {
    await expectStatus(() => create(wrong), { code: 422, message: /data: Invalid value: "x": it is wrong$/ });
    await create();
    await expectStatus(() => patch(wrong), { code: 422, message: /data: Invalid value: "x": it is wrong$/ });
    const stored = await registry.stored(path, 'm');
    expect(stored?.metadata.name).to.equal('m');
    expect(stored).not.to.have.property('data');
  });
});
