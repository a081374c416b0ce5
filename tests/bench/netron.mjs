// Netron's layout without its window, for tests/bench/run.
//
//   node netron.mjs DAGRE GRAPH    prints the seconds, and those of the processor, that its layout takes
//
// DAGRE is a copy of Netron's dagre.js called .mjs; GRAPH is JSON.  The settings are those of grapher.js.
import fs from 'fs';

const [, , dagre, graph] = process.argv;
const { layout } = await import(dagre);
const { nodes, edges } = JSON.parse(fs.readFileSync(graph, 'utf-8'));
const settings = { nodesep: 20, ranksep: 20 };
if (nodes.length > 3000)
	settings.ranker = 'longest-path';
const start = performance.now();
const before = process.cpuUsage();
layout(nodes, edges, settings, {});
const used = process.cpuUsage(before);
if (!nodes.every((node) => Number.isFinite(node.x)))
	throw new Error('a node has no place');
console.log((performance.now() - start) / 1e3, (used.user + used.system) / 1e6);
