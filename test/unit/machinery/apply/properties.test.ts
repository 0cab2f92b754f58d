import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { parseFieldsV1, serializeFieldSet } from '../../../../src/machinery/apply/fieldpath/fields-v1.ts';
import { actsOn, plays } from './support/acts.ts';
import { createInterpreter } from './support/interpreter.ts';
import { nodesOf } from './support/nodes.ts';
import { objectsOf, structs, withoutEmpties } from './support/shape.ts';
import { createStage, type Stage } from './support/stage.ts';

const managers = ['x', 'y', 'z'];
const anything = plays({ kinds: ['apply', 'force', 'drop', 'update'], managers, maxLength: 8 });
const numRuns = 150;

describe('an object of a random type with two versions that three managers apply and update', () => {
  it('ends as a plain interpreter says: value, owners and conflicts', () => {
    fc.assert(
      fc.property(anything, ({ shape, acts }) => {
        const stage = createStage(shape);
        const interpreter = createInterpreter(shape);
        for (const act of acts) {
          const deed = stage.deedOf(act);
          const conflicts = 'object' in deed ? interpreter.update(deed) : interpreter.apply(deed);
          expect(stage.play(deed)).to.deep.equal(conflicts);
          expect(stage.object()).to.deep.equal(interpreter.object());
          expect(stage.owners()).to.deep.equal(interpreter.owners());
        }
      }),
      { numRuns: 2 * numRuns },
    );
  });

  it('does not change when a configuration is applied again', () => {
    fc.assert(
      fc.property(anything, ({ shape, acts }) => {
        const stage = createStage(shape);
        for (const act of acts) {
          const deed = stage.deedOf(act);
          // An empty object is nobody's wish: it goes with the last thing that is taken out of it.
          const said = 'object' in deed ? deed : { ...deed, config: withoutEmpties(deed.config) };
          const isRefused = stage.play(said).length > 0;
          stage.settle(act.version);
          // The record of an object that nobody owns starts with the next apply.
          if ('object' in said || isRefused || stage.entries().length === 0) continue;
          const stored = JSON.stringify(stage.entries());
          const again = stage.again(said);
          expect(again.isChanged).to.equal(false);
          expect(JSON.stringify(again.managedFields)).to.equal(stored);
        }
      }),
      { numRuns },
    );
  });

  it('has no owners of what an act removed', () => {
    fc.assert(
      fc.property(anything, ({ shape, acts }) => {
        const stage = createStage(shape);
        for (const act of acts) {
          const before = nodesOf(shape, stage.object());
          stage.play(stage.deedOf(act));
          const owned = new Set(allOwned(stage));
          const removed = [...before.keys()].filter((path) => !stage.nodes().has(path));
          expect(removed.filter((path) => owned.has(path))).to.deep.equal([]);
        }
      }),
      { numRuns },
    );
  });

  it('has a record that comes back from its text', () => {
    fc.assert(
      fc.property(anything, ({ shape, acts }) => {
        const stage = createStage(shape);
        for (const act of acts) {
          stage.play(stage.deedOf(act));
          stage.settle(act.version);
          const text = JSON.stringify(stage.entries());
          for (const { fieldsV1 } of stage.entries()) {
            const back = serializeFieldSet(parseFieldsV1(JSON.parse(JSON.stringify(fieldsV1))));
            expect(JSON.stringify(back)).to.equal(JSON.stringify(fieldsV1));
          }
          expect(JSON.stringify(stage.rewritten(act.version) ?? [])).to.equal(text);
        }
      }),
      { numRuns },
    );
  });
});

describe('a third applier', () => {
  const pair = ['x', 'y'];
  const scenes = structs(3).chain((shape) =>
    fc.record({
      shape: fc.constant(shape),
      prelude: fc.array(actsOn(shape, { kinds: ['apply', 'force', 'update'], managers: pair }), {
        maxLength: 3,
      }),
      config: objectsOf(shape),
      applies: fc.array(actsOn(shape, { kinds: ['apply', 'drop'], managers: pair }), { maxLength: 6 }),
      forced: fc.array(actsOn(shape, { kinds: ['force', 'drop'], managers: pair }), { maxLength: 6 }),
    }),
  );

  it('loses nothing to applies of two others, and to force only what was overwritten', () => {
    fc.assert(
      fc.property(scenes, ({ shape, prelude, config, applies, forced }) => {
        const stage = createStage(shape);
        for (const act of prelude) stage.play(stage.deedOf(act));
        // Who applies an empty object comes to own what others put into it.
        stage.play({ who: 'z', version: 'v2', config: withoutEmpties(config), isForced: true });
        stage.settle('v2');
        const owned = stage.ownedBy('z Apply');
        const held = valuesAt(stage, owned);
        for (const act of applies) {
          stage.play(stage.deedOf(act));
          expect(stage.ownedBy('z Apply')).to.deep.equal(owned);
          expect(valuesAt(stage, owned)).to.deep.equal(held);
        }
        for (const act of forced) {
          const before = stage.ownedBy('z Apply');
          const values = valuesAt(stage, before);
          stage.play(stage.deedOf(act));
          const after = new Set(stage.ownedBy('z Apply'));
          for (const [index, path] of before.entries()) {
            const node = stage.nodes().get(path);
            expect(node, path).not.to.equal(undefined);
            expect(after.has(path), path).to.equal(isDeepStrictEqual(node?.value, values[index]));
          }
        }
      }),
      { numRuns },
    );
  });
});

const allOwned = (stage: Stage): string[] =>
  stage.owners().map((line) => line.slice(0, line.indexOf(' <- ')));

/** What is at the paths; `undefined` for objects and lists that are there, `nothing` for what is not. */
const valuesAt = (stage: Stage, paths: readonly string[]): unknown[] =>
  paths.map((path) => {
    const node = stage.nodes().get(path);
    return node === undefined ? 'nothing' : node.value;
  });
