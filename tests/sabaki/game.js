// A whole 9x9 game of Phantom Go against the bot of `phantomgo gtp`, driven by @sabaki/gtp.
//
//     NODE_PATH=FOLDER/node_modules node game.js play|sync SEED COMMAND [ARGUMENTS...]
//
// `play` sends moves as commands; `sync` leaves that to Sabaki's own state tracker, which clears the
// board and tells the whole game again after every refusal, as Sabaki does.
//
// Black tries points in an order of its own and goes by what it is told, as a person at a GUI
// would; White is the bot. Prints what happened as JSON. tests/gtp/test_sabaki.py judges it.

const {Controller, ControllerStateTracker, Command} = require('@sabaki/gtp')

const SIZE = 9
const TURNS = 45 // moves of its own, after which Black only passes

const [way, seed, path, ...args] = process.argv.slice(2)

let state = Number(seed) >>> 0
function random(bound) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * bound)
}

async function main() {
  const controller = new Controller(path, args)
  controller.on('stderr', ({content}) => console.error(content))
  controller.start()

  const responses = []
  async function ask(line) {
    const response = await controller.sendCommand(Command.fromString(line))
    responses.push({line, error: response.error, content: response.content})
    return response
  }
  async function must(line) {
    const response = await ask(line)
    if (response.error) throw new Error(`${line}: ${response.content}`)
    return response.content
  }

  const tracker = new ControllerStateTracker(controller)
  let retold = 0
  controller.on('command-sent', ({command}) => {
    if (command.name === 'clear_board') retold++
  })
  // Whether Black's attempt stands. A move that cannot be synced leaves the tree again.
  async function attempt(vertex) {
    if (way === 'play') {
      const response = await ask(`play b ${vertex}`)
      if (response.error && response.content !== 'illegal move') {
        throw new Error(`play b ${vertex}: ${response.content}`)
      }
      return !response.error
    }
    const before = tracker.state.history || []
    const history = [...before, {name: 'play', args: ['B', vertex]}]
    try {
      await tracker.sync({komi: 7.5, boardsize: [SIZE, SIZE], history})
      return true
    } catch (error) {
      return false
    }
  }

  await must('list_commands')
  await must(`boardsize ${SIZE}`)
  await must('clear_board')
  await must('komi 7.5')
  const letters = 'ABCDEFGHJ'
  let refusals = 0, captured = 0, lost = 0, passes = 0, turns = 0, genmoves = []

  while (passes < 2) {
    let moved = false
    const tried = new Set()
    while (!moved && turns < TURNS) {
      const marks = (await must('phantom-view b')).trim().split('\n').map(row => row.split(' '))
      const open = []
      marks.forEach((row, i) => row.forEach((mark, column) => {
        const vertex = `${letters[column]}${SIZE - i}`
        if (mark === '.' && !tried.has(vertex)) open.push(vertex)
      }))
      if (open.length === 0) break
      const vertex = open[random(open.length)]
      tried.add(vertex)
      if (await attempt(vertex)) {
        moved = true
        turns++
        const told = /Captured (\d+)/.exec(await must('phantom-last'))
        if (told) captured += Number(told[1])
      } else {
        refusals++
      }
    }
    if (moved) {
      passes = 0
    } else {
      if (!(await attempt('pass'))) throw new Error('a pass was refused')
      passes++
      if (passes === 2) break
    }
    genmoves.push(await must('genmove w'))
    const last = await must('phantom-last')
    passes = last.startsWith('White has passed') ? passes + 1 : 0
    const loses = /Black loses ([A-J0-9 ]+)\./.exec(last)
    if (loses) lost += loses[1].split(' ').length
  }

  const score = await must('final_score')
  const board = (await must('phantom-reveal_board')).trim().split('\n').slice(1, -1)
    .map(row => row.trim().split(' ').slice(1, -1))
  const alive = (await must('final_status_list alive')).split('\n')
  await controller.stop()
  console.log(JSON.stringify(
    {score, board, alive, refusals, captured, lost, turns, genmoves, retold, commands: responses.length}
  ))
}

main().catch(error => {
  console.error(error.message)
  process.exit(1)
})
