import { goPhrases, type PhraseBook } from '../../config/index.ts';
import { flagOption } from './option-table.ts';

/** What the agent says of its command line and file: some of its flags are read by parsers that say no more than that. */
export const agentPhrases: PhraseBook = {
  ...goPhrases,
  missingValue: (written) => `flag needs an argument: ${written}`,
  refusedValue: (refused) => {
    if (!flagOption(refused.option.name)?.terse) return goPhrases.refusedValue(refused);
    const isOutOfRange = refused.problem.endsWith('value out of range');
    return goPhrases.refusedValue({
      ...refused,
      problem: isOutOfRange ? 'value out of range' : 'parse error',
    });
  },
};
