import { NodeDecoder } from './yaml/decode-node.ts';
import { readFirstNode } from './yaml/read-nodes.ts';
import { readYamlText } from './yaml/yaml-text.ts';

/**
 * Parses the first YAML document as the converter of sigs yaml does (go-yaml 2, which is YAML 1.1): keys become strings in sorted
 * order, the last of equal keys wins, timestamps stay text. No document means null. JSON is YAML, too.
 *
 * @throws BodySyntaxError in go-yaml's words, with their line
 */
export function parseYaml(bytes: Buffer): unknown {
  const node = readFirstNode(readYamlText(bytes));
  return node === undefined ? null : new NodeDecoder().decode(node);
}
