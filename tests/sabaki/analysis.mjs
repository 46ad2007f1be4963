// Lines of analysis on stdin, read by Sabaki's own parser, as JSON on stdout.
//
//     node analysis.mjs FOLDER SABAKI float|integer < LINES
//
// FOLDER has node_modules/@sabaki/go-board in it, SABAKI is a checkout of Sabaki's sources.

import {createRequire} from 'module'
import {readFileSync} from 'fs'
import {resolve} from 'path'
import {pathToFileURL} from 'url'

const [folder, sabaki, format] = process.argv.slice(2)
const board = createRequire(resolve(folder) + '/')('@sabaki/go-board').fromDimensions(5, 5)
const {parseAnalysis} = await import(pathToFileURL(resolve(sabaki, 'src/modules/analysis.js')))
const lines = readFileSync(0, 'utf8').trim().split('\n')
console.log(JSON.stringify(lines.map(line => parseAnalysis(line, board, format))))
