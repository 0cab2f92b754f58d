import { expect } from 'chai';
import fc from 'fast-check';
import {
  BodySyntaxError,
  decodeBody,
  maxBodyDepth,
  parseJson,
} from '../../../../src/machinery/codec/index.ts';
import { StatusError } from '../../../../src/machinery/errors/index.ts';

const read = (text: string): unknown => parseJson(Buffer.from(text));

describe('numbers of parseJson', () => {
  const rows: readonly (readonly [text: string, written: string])[] = [
    ['0', '0'],
    ['-0', '0'],
    ['1e2', '100'],
    ['1E+2', '100'],
    ['1e-7', '1e-7'],
    ['0.1', '0.1'],
    ['9007199254740991', '9007199254740991'],
    ['9007199254740992', '9007199254740992'],
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['18446744073709551616', '18446744073709551616'],
    ['1234567890123456', '1234567890123456'],
    // A double is all that there is for fractions.
    ['0.1234567890123456789', '0.12345678901234568'],
    ['12345678901234567.5', '12345678901234568'],
    // Beyond all doubles nothing else is left.
    ['-1e400', '-1e400'],
    ['1E+309', '1E+309'],
    [`1${'0'.repeat(400)}`, `1${'0'.repeat(400)}`],
    [`1${'0'.repeat(400)}.5`, `1${'0'.repeat(400)}.5`],
    ['1e-400', '0'],
  ];
  for (const [text, written] of rows) {
    it(`${text} is written as ${written}`, () => {
      expect(JSON.stringify(read(text))).to.equal(written);
      expect(JSON.stringify(read(`{"a":[${text}]}`))).to.equal(`{"a":[${written}]}`);
    });
  }

  it('takes those beyond all doubles for text, or refuses them, when asked to', () => {
    const body = Buffer.from('{"a":[1e308,-1e400,9007199254740993]}');
    expect(JSON.stringify(parseJson(body, { beyondDoubles: 'text' }))).to.equal(
      '{"a":[1e+308,"-1e400",9007199254740993]}',
    );
    expect(() => parseJson(body, { beyondDoubles: 'refused' })).to.throw(
      BodySyntaxError,
      /^strconv\.ParseFloat: parsing "-1e400": value out of range$/,
    );
  });

  it('keeps exponents and fractions of whole numbers as they are written when asked to, and no others', () => {
    const digits = (maxLength: number) =>
      fc.array(fc.constantFrom('0', '1', '5', '9'), { minLength: 1, maxLength }).map((all) => all.join(''));
    const whole = digits(18).map((text) => text.replace(/^0+(?=\d)/, ''));
    const number = fc
      .tuple(
        fc.constantFrom('', '-'),
        whole,
        fc.option(digits(18)),
        fc.option(fc.constantFrom('e2', 'E-1', 'e+0')),
      )
      .map(([sign, before, after, exponent]) =>
        [sign, before, after === null ? '' : `.${after}`, exponent ?? ''].join(''),
      );
    const isKept = (text: string): boolean =>
      /[eE]/.test(text) || (text.includes('.') ? Number.isInteger(Number(text)) : false);
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 4 }), (numbers) => {
        const text = `{"a":[${numbers.join()}],"b":${numbers[0]}}`;
        const { a } = parseJson(Buffer.from(text), { keepsFractions: true }) as {
          readonly a: readonly unknown[];
        };
        for (const [index, each] of numbers.entries()) {
          const isBig = /^-?\d{16,}$/.test(each) && String(Number(each)) !== each;
          if (isKept(each)) expect(JSON.stringify(a[index])).to.equal(each);
          else if (!isBig) expect(a[index]).to.equal(Number(each));
        }
      }),
    );
  });

  it('long digits in texts and names stay what they are', () => {
    const text = '{"12345678901234567890":"98765432109876543210"}';
    expect(JSON.stringify(read(text))).to.equal(text);
  });

  for (const text of ['01', '+1', '.5', '1.', '1e', '0x1', 'NaN', 'Infinity', '--1', '1_000']) {
    it(`${text} is none`, () => expect(() => read(text)).to.throw(BodySyntaxError));
  }
});

describe('texts of parseJson', () => {
  const rows: readonly (readonly [text: string, value: string])[] = [
    ['"\\u00e9"', 'é'],
    ['"\\ud83d\\ude00"', '😀'],
    ['"\\uD83D\\uDE00"', '😀'],
    ['"\\ud83d"', '\ufffd'],
    ['"\\ude00\\ud83d"', '\ufffd\ufffd'],
    ['"\\ud83dx"', '\ufffdx'],
    ['"\\\\ud83d"', '\\ud83d'],
    ['"\\u0000"', '\0'],
    ['"\u007f"', '\u007f'],
    ['"\u2028"', '\u2028'],
  ];
  for (const [text, value] of rows) {
    it(`${text} is ${JSON.stringify(value)}`, () => expect(read(text)).to.equal(value));
  }

  it('lone surrogates go from names too', () => {
    expect(read('{"\\ud800":"\\udc00"}')).to.deep.equal({ '\ufffd': '\ufffd' });
  });

  it('bytes that are no UTF-8 become U+FFFD', () => {
    const bytes = Buffer.from([0x7b, 0x22, 0xc3, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
    expect(parseJson(bytes)).to.deep.equal({ '\ufffd': '\ufffd\ufffd' });
  });
});

describe('depth of parseJson', () => {
  const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

  it('is bounded, brackets in texts not counted', () => {
    expect(() => read(nested(maxBodyDepth))).to.not.throw();
    expect(() => read(nested(maxBodyDepth + 1))).to.throw(BodySyntaxError, 'exceeded max depth');
    expect(() => read(`"${'['.repeat(5000)}"`)).to.not.throw();
    expect(() => read(`["\\"${'['.repeat(5000)}"]`)).to.not.throw();
  });

  it('counts what is open, not what there is', () => {
    expect(() => read(`[${'[],'.repeat(5000)}[]]`)).to.not.throw();
  });
});

describe('text that is no JSON', () => {
  const rows: readonly (readonly [text: string, message: string])[] = [
    ['', 'unexpected end of JSON input'],
    [' ', 'unexpected end of JSON input'],
    ['{', 'unexpected end of JSON input'],
    ['{"a"', 'unexpected end of JSON input'],
    ['"', 'unexpected end of JSON input'],
    ['"\\', "invalid character ' ' in string escape code"],
    ['"\\u12', "invalid character ' ' in \\u hexadecimal character escape"],
    ['tr', "invalid character ' ' in literal true (expecting 'u')"],
    ['-', "invalid character ' ' in numeric literal"],
    ['{,}', "invalid character ',' looking for beginning of object key string"],
    ['{1:2}', "invalid character '1' looking for beginning of object key string"],
    ['{"a":1]', "invalid character ']' after object key:value pair"],
    ['[1}', "invalid character '}' after array element"],
    ['[1,,2]', "invalid character ',' looking for beginning of value"],
    ['{}x', "invalid character 'x' after top-level value"],
    ['falsy', "invalid character 'y' in literal false (expecting 'e')"],
    ['\u00a0', "invalid character 'Â' looking for beginning of value"],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
  ];
  for (const [text, message] of rows) {
    it(`${JSON.stringify(text)}: ${message}`, () => {
      expect(() => read(text))
        .to.throw(BodySyntaxError)
        .with.property('message', message);
    });
  }

  it('has a message of its own wherever JSON is cut off', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (value, at) => {
        const text = JSON.stringify(value);
        const bytes = Buffer.from(text);
        const cut = bytes.subarray(0, at % bytes.length);
        expect(() => parseJson(cut)).to.throw(
          BodySyntaxError,
          /^unexpected end of JSON input$|^invalid character ' ' (in|after) /,
        );
      }),
    );
  });
});

describe('decodeBody', () => {
  it('keeps what is no integer apart in JSON, and not in YAML', () => {
    const text = Buffer.from('{"a":10.0}');
    expect(JSON.stringify(decodeBody(text, 'json', 'Pod'))).to.equal('{"a":10.0}');
    expect(decodeBody(text, 'yaml', 'Pod')).to.deep.equal({ a: 10 });
    expect(decodeBody(text, 'json')).to.deep.equal({ a: 10 });
  });

  const fine: readonly (readonly ['json' | 'yaml', string])[] = [
    ['json', 'null'],
    ['json', '{"kind":null,"apiVersion":null}'],
    ['json', '{"apiVersion":"apps/v1","kind":"X"}'],
    ['yaml', ''],
    ['yaml', 'kind: Pod'],
  ];
  for (const [format, text] of fine) {
    it(`takes the ${format} ${JSON.stringify(text)}`, () => {
      expect(() => decodeBody(Buffer.from(text), format, 'Pod')).to.not.throw();
    });
  }

  for (const [format, text, detail] of [
    ['json', 'true', 'cannot unmarshal bool into Go value of type struct'],
    ['json', '5', 'cannot unmarshal number into Go value of type struct'],
    ['json', '{"apiVersion":{}}', 'cannot unmarshal object into Go struct field .apiVersion of type string'],
    ['json', '{"kind":false}', 'cannot unmarshal bool into Go struct field .kind of type string'],
    ['yaml', '- a', 'cannot unmarshal array into Go value of type struct'],
    ['yaml', 'kind: [a]', 'cannot unmarshal array into Go struct field .kind of type string'],
    ['yaml', 'apiVersion: a/b/c', 'unexpected GroupVersion string: a/b/c'],
  ] as const) {
    it(`refuses the ${format} ${text}`, () => {
      expect(() => decodeBody(Buffer.from(text), format, 'Pod'))
        .to.throw(StatusError, detail)
        .with.property('code', 400);
    });
  }

  it('shows the first bytes of a body, as text only where it looks like JSON', () => {
    const summary = (text: string): string | undefined => {
      try {
        decodeBody(Buffer.from(text), 'json', 'Pod');
      } catch (error) {
        return /\(([^()]*)\)$/.exec(error instanceof Error ? error.message : '')?.[1];
      }
      return undefined;
    };
    expect(summary('{x')).to.equal('{x');
    expect(summary('xyz')).to.equal('78797a');
    expect(summary(`{${'x'.repeat(29)}`)).to.equal(`{${'x'.repeat(29)}`);
    expect(summary(`{${'x'.repeat(30)}`)).to.equal(`{${'x'.repeat(29)} ...`);
  });
});
