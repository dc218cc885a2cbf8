// Scripts whose parts did not all run. Each begins with a line `//// what it is about`, and defines
// `warm`, which runs while it is learned what runs, and `cold`, which does not. What `cold` returns
// must be the same when the bodies of functions have to be fetched.

//// closures and what functions are called with
let counter = 0;
function warm() { counter += 1; return counter }
function take(first, second) {
  const inner = () => { counter += first; return [this?.name, arguments.length, new.target === undefined] };
  return [inner(), counter, second, typeof inner];
}
function cold() {
  const told = take.call({ name: 'someone' }, 3, 'b', 'c');
  return [told, take.length, new take(1, 2)];
}

//// arguments that follow their names
function warm() { return 1 }
function change(a, b) {
  a = 'changed'; arguments[1] = 'also changed';
  return [arguments[0], b, arguments.length, [...arguments].join('/'), typeof arguments.callee];
}
function cold() { return change('one', 'two', 'three') }

//// classes with everything
class Base {
  #secret = 4;
  constructor(start) { this.start = start; this.steps = ['constructor'].concat(start > 1 ? ['more'] : ['less']) }
  get both() { this.steps.push('getter'); const sum = this.start + this.#secret; return sum * 2 + this.steps.length }
  set both(value) { this.steps.push('setter'); this.#secret = value; this.start = value - this.steps.length }
  static make(start) { const made = new this(start); made.steps.push('static ' + this.name); return made }
  #hidden(word) { this.steps.push(word + ' hidden'); return #secret in this ? this.steps.join() : 'not at all' }
  ask() { const told = this.#hidden('asked'); return told.length > 3 ? told + '!' : told + '?' + this.start }
  ['comp' + 'uted'](n) { let all = []; for (let i = 0; i < n; i++) { all.push(i * this.start) } return all.concat('end') }
}
class Derived extends Base {
  constructor(start) { super(start + 1); this.steps.push('derived constructor', new.target === Derived, arguments.length, super.computed(1)) }
  ask() { const above = super.ask(); return 'derived: ' + above + ' ' + super.computed(2).join() + ' ' + (super.both > 0) }
}
function warm() { return typeof Base }
function cold() {
  const made = Derived.make(5); made.both = 9;
  return [made.ask(), made.both, made.computed(3), new Base(1).ask(), made.steps];
}

//// constructors of classes that extend others
class Root { constructor(word) { this.word = word; this.kind = new.target.name } tell() { return this.word } }
class Plain extends Root { #own = 3; field = [this.word]; constructor(a, ...more) { const all = [a, ...more].join('+'); super(all); this.sum = this.#own + more.length + arguments.length } }
class Late extends Plain { constructor(word) { const start = () => super(word, 'late'); let early; try { this.word } catch (error) { early = error.name } start(); this.early = early; return this } }
class Other extends Root { constructor() { return { own: 'an object of its own, which is not what the class would have made of it' } } }
class Never extends Root { constructor() { const told = 'nobody calls what is above, and so there is nothing'; this.told = told + ' to be had' } }
function warm() { return typeof Late }
function cold() {
  let error; try { new Never() } catch (it) { error = it.name }
  const late = new Late('rose');
  return [new Plain(1, 2, 3), late, late.tell(), late instanceof Plain, new Other(), error, late.kind];
}

//// generators
const seen = [];
function* numbers(n, step = 2) { try { for (let i = 0; i < n; i++) { const got = yield i * step; if (got) { yield 'got ' + got } } return 'end' } finally { seen.push('left after ' + n) } }
const holder = { name: 'holder', *[Symbol.iterator]() { const own = this.name; for (const letter of own) { yield letter.toUpperCase() } seen.push(typeof holder, own) } };
class Walk { #at = 1; *steps(most) { while (this.#at < most) { yield this.#at; this.#at *= 2 } return new.target === undefined ? 'no target' : 'a target' } }
function* above() { const told = yield* numbers(2); seen.push(told); try { yield 'above' } catch (error) { yield 'caught ' + error.message } }
function* own() { return yield* (function* () { yield arguments.length; return this === undefined || this === globalThis })(1, 2, 3) }
function* again(options) { var options = options || { given: false, text: 'a default that is used if nothing was given' }; yield options.text + options.given }
function warm() { return seen.length }
function cold() {
  const it = numbers(3), walk = new Walk().steps(9), thrown = above(); for (let i = 0; i < 3; i++) thrown.next();
  return [it.next(), it.next(), it.next('x'), it.next(), it.return('early'), it.next(), [...numbers(4, 3)], [...holder], [...walk], walk.next(),
    thrown.throw(new Error('on purpose')), [...own()], [...again(), ...again({ text: 'given', given: true })], numbers(1) instanceof numbers, seen];
}

//// objects with methods
const object = {
  __proto__: { greet(word) { return `${word}, said by the prototype of ${this.name} with ${arguments.length} words` } },
  name: 'object',
  greet(word) { const above = super.greet(word, 'and', 'more'); return above.toUpperCase() + this.name.length + word },
  async later(word) { await null; const told = super.greet(word); return [told, this.name, arguments.length, 'later on'] },
};
function warm() { return object.name }
async function cold() { return [object.greet('hello'), await object.later('then')] }

//// arrow functions that are one expression
let calls = 0;
const sum = (a, b = a * 2) => a + b + [a, b, calls++].map((it) => it * 2 + calls).reduce((all, it) => all + it, calls) + (a > b ? a - b : b - a);
const pair = (name) => ({ name, length: name.length, upper: name.toUpperCase(), calls: ++calls, of: [name, name, name].join('/') });
const both = (name) => (calls += 10, pair(name), [name, calls, typeof pair, name.split('').reverse().join(''), 'and some more']);
const curried = (a) => (b) => (c) => [a, b, c, a + b + c, calls, 'a body that is an arrow function, whose body is one as well'];
const late = async (name) => [await Promise.resolve(name), await pair(name), 'asynchronous, and long enough to be worth it', calls];
class Kept { field = 3; own = (more) => [this.field + more, this.constructor.name, new.target === undefined, 'in the field of a class, long'] }
function outer() { return (() => [this?.name, arguments.length, [...arguments].join('+'), 'an expression that sees what is around it'])() }
function warm() { return calls }
async function cold() {
  const kept = new Kept();
  return [sum(1), sum(3, 2), pair('rose'), both('tulip'), curried(1)(2)(3), await late('ivy'), kept.own(4), outer.call({ name: 'me' }, 1, 2), calls];
}

//// asynchronous functions
const order = [];
async function steps(n) { for (let i = 0; i < n; i++) { await null; order.push('step ' + i) } return order.length + n }
async function fails() { await null; order.push('about to fail'); throw new TypeError('as it should, after a while') }
const arrow = async (a, ...rest) => { await 0; const told = rest.map((it) => it * a); return told.concat(['arrow', a, rest.length]) };
function warm() { return order.length }
async function cold() {
  const failed = await fails().catch((error) => [error.name, error.message, error instanceof TypeError]);
  return [await steps(3), failed, await arrow(2, 3, 4), order, steps(0) instanceof Promise];
}

//// functions that give others
const curried = (a) => (b) => { const c = a * b; if (c > 10) { return 'large ' + c } return 'small ' + c + ' of ' + [a, b] };
const maker = function made(n) { if (n > 0) { return made(n - 1) + ',' + n } let made2 = typeof made; return made2 + ' and so on ' + n };
function warm() { return typeof curried(2) }
function cold() { return [curried(2)(3), curried(5)(6), maker(4), maker.name, maker.length] }

//// what is declared within
function warm() { return 1 }
function declares(list) {
  var total = hoisted(2); if (list) { var late = list.length; function inBlock() { return 'in a block ' + late } }
  function hoisted(n) { return n * 10 } outer: for (const a of list) { for (const b of list) { if (b > a) continue outer; total += b } }
  switch (total) { case 0: break; default: let own = total; total = own + 1 } try { throw total } catch (e) { total = e + 1 } finally { total++ }
  return [total, late, typeof inBlock, inBlock(), typeof undeclared, (() => { try { return tooEarly } catch (e) { return e.name } let tooEarly })()];
}
function cold() { return declares([1, 2, 3]) }

//// strict and sloppy
function warm() { return 1 }
function strict() { 'use strict'; const told = (function () { return this === undefined })(); try { notThere = 1 } catch (e) { return [told, e.name, this === undefined] } return 'sloppy' }
function sloppy() { const told = (function () { return this === globalThis })(); leaked = 'a global of its own'; return [told, this === globalThis, typeof leaked] }
function cold() { return [strict(), sloppy(), leaked] }

//// defaults of parameters
let base = 1;
function withDefaults(a = () => { base += 10; const told = 'made by default, which is a function as well'; return told + base }, { b = 5, ...c } = {}, [d] = [base]) {
  base += 1; const seen = typeof a === 'function' ? a() : a; return [seen, b, Object.keys(c), d, base, withDefaults.length];
}
function warm() { return base }
function cold() { return [withDefaults(), withDefaults('x', { b: 6, y: 7 }, ['z'])] }

//// what is not taken out, because it could not be restored
async function* numbers(n) { for (let i = 0; i < n; i++) { const got = yield i * 2; if (got) { yield 'got ' + got + ' and more of it' } } return 'end' }
function* given(n) { for (let i = 0; i < arguments.length; i++) { n = arguments[i] + 1; yield [n, arguments[i], 'what they were called with'] } }
function again(options) { var options = options || { given: false, text: 'a default that is used if nothing was given' }; return options.text + options.given }
function warm() { return 1 }
async function cold() { const it = numbers(3); return [await it.next(), await it.next(), await it.next('x'), [...given(1, 2)], again(), again({ text: 'given', given: true })] }

//// errors on the way
function warm() { return 1 }
function risky(n) { if (n === 0) { throw new RangeError('nothing is left of what there was in the beginning') } return risky(n - 1) + 1 }
function guarded(n) { for (;;) { try { return risky(n) } catch (error) { if (error instanceof RangeError) { return handled(error) } throw error } } }
function handled(error) { const words = error.message.split(' '); return [error.name, words.length, words.at(-1), error.stack.includes('risky')] }
function cold() { return guarded(3) }

//// wide letters before it 😀 é
const wide = '😀é', text = `${wide}😀`;
function warm() { return text.length }
function letters(word) { const all = [...word + wide]; return all.map((letter) => letter.codePointAt(0).toString(16)).join() + '😀' + all.length }
function cold() { return letters('ä😀') }

//// parts of a function that ran
function warm() { return outside(1)(false) }
function outside(a) {
  let state = a; const never = (b) => { state += b; const told = 'never called while learning'; return [told, state, a, b, typeof outside] };
  return function ran(really) { return really ? never(41) : state };
}
function cold() { const ran = outside(1); return [ran(true), ran(false)] }

//// branches that were not taken
let log = [];
function choose(kind, ...more) {
  if (kind === 'first') { log.push('first'); return 1 } else if (kind === 'second') { const told = more.map((it) => it * 2); log.push('second ' + told); kind = told.length }
  else { let own = 'something else than the others, ' + kind; log.push(own, arguments.length, this?.name, new.target === undefined); more.push(own) }
  const told = kind === 'first' ? 'what came first of all of them' : [kind, more.length, arguments[0], 'what came after that, whatever it was'].join('/');
  return told && (log.length > 1 ? [told, log.length, 'enough of them to be counted one by one'] : told) || log.push('nothing at all was told about any of them');
}
function warm() { const was = log.length; choose('first'); log = []; return was }
function cold() { return [choose.call({ name: 'me' }, 'third', 1, 2), choose('second', 3, 4), new choose('fourth') instanceof choose, log] }

//// branches that leave
function search(list, wanted) {
  for (const it of list) { if (it === wanted) { return 'found ' + it + ' among ' + list.length + ' of them, at last' } if (it > wanted) { list.length > 2; break } }
  outer: for (const a of list) for (const b of list) { if (a + b === wanted) { list = [a, b, 'a sum of two of them, which is enough']; break outer } if (a > 90) { continue outer } }
  if (wanted < 0) { for (let i = 0; i < 9; i++) { if (i > 3) break; if (i === 2) continue; list = list.concat(i) } } try { if (wanted === 0) { throw new RangeError('nothing is wanted of what there is here') } }
  catch (error) { const { message } = error; return [error.name, message.length, list, 'caught by the function around'] } finally { if (wanted === 0) { list.push('in the end, after all that was told about it') } }
  if (wanted > 40) { if (wanted > 41) { throw new TypeError('far too much was wanted of this list') } else { return ['much', wanted, list.length, 'of the list'] } }
  return wanted === 7 ? void (list = 'there is no value here, and nothing else') : list;
}
function warm() { return search([1, 2, 3], 100 - 61.5) }
function cold() {
  let error; try { search([1], 42) } catch (it) { error = [it.name, it.message] }
  return [search([1, 2, 3], 3), search([5, 6], 11), search([5, 6], -1), search([5, 6], 0), search([5, 6], 41), typeof search([1], 7), error];
}

//// branches of functions that stay
class Root { tell(word) { return 'root ' + word } }
class Leaf extends Root {
  #own = 5;
  constructor(word) { if (word) { super(word); this.word = [word, new.target.name, this.#own, 'said by one who has a word'] } else super() }
  tell(word) { return word === 'short' ? word : super.tell(word) + this.#own + [word, 'said by one who has something to tell'].join() }
  *walk(n) { if (n > 1) { const own = this.#own; n = own + n + ['steps that were taken one by one'].length } yield n; if (n > 3) { yield 'many of them, and each of them counted' } }
  async later(n) { if (n) { const told = [n, this.#own].map((it) => it + 1); n = told.length + this.#own } return n ? await this.word : 'nothing, but somewhat later than now' }
}
function warm() { const leaf = new Leaf(); leaf.later(0); return [leaf.tell('short'), [...leaf.walk(1)]] }
async function cold() { const leaf = new Leaf('rose'); return [leaf, leaf.tell('long'), [...leaf.walk(4)], await leaf.later(2), await new Leaf().later(0)] }

//// branches of branches
const seen2 = [];
function chain(a) {
  const told = a === 1 ? 'the first of what can be said about it' : a === 2 ? 'the second of what can be said, which is more' : a === 3 ? 'the third of what can be said, and the last' : seen2.push('nothing can be said about it, as it seems');
  const more = a > 1 ? a > 2 ? 'more than two of them, and perhaps more' : 'two of them, and not one of them more' : a ? 'one of them, and not a single one more' : null;
  return [told, more, a && (a > 2 || seen2.push('less than that, or the same, who knows')), (a ?? seen2.push('none at all, which is hardly worth telling')), a?.toFixed(seen2.push('a number, which has a fixed number of digits'))];
}
async function waits(a) { a && await chain(3); const told = 'said after a wait that may have been passed over'; const late = a || await null; return [told, late, 'said after another one of these waits'] }
function* gives(a) { a ??= yield 'nothing was given, so something has to be'; seen2.push('given after all, whatever was given'); return a ? [a, 'given by somebody, and given back'] : yield 'nothing was given then either, so be it' }
function warm() { waits(0); [...gives(1)]; return chain(2) }
async function cold() { return [chain(1), chain(3), chain(0), await waits(0), await waits(1), [...gives(0)], [...gives()], seen2.length] }

//// lines without semicolons
let told = 0
function lines(a) {
  if (a) told += [a, 'one line without anything at its end'].length
  const b = told
  a && lines(0) || (told += 'another line without anything at its end'.length)
  if (a) (told += 'in parentheses, and nothing at its end'.length, told++)
  else told--
  if (a) do told += 'what is done at least once, and no more'.length; while (told < 10)
  return a ? [b, told, 'and a value without anything at its end']
    : told
}
function warm() { told = 0; lines(0); return told }
function cold() { told = 0; return [lines(1), told, lines(0), told] }

//// variables that are seen in branches
function counts(n, more) {
  let total = 0, names = []; const add = (it) => { total += it; return total };
  for (let i = 0; i < n; i++) { add(i); if (more) { let i = total * 2, total2 = () => total + i; names.push(() => [i, total2(), n, 'what is seen where it stands']) } }
  if (more) { class Inner { static made = total; get all() { return names.map((it) => it()) } } names = [new Inner().all, Inner.made, Inner.name]; n = names.length } else { names.push(total) }
  { const total = n > 2 && more ? [n, more, typeof add, 'a block of its own, in which names are others'] : 'none'; names.push(total) }
  const named = more ? function () { return 'a function that has its name from elsewhere' } : null; return [names, total, named?.name, named?.()];
}
function warm() { return counts(2) }
function cold() { return [counts(3, 'more'), counts(2)] }

//// words of a kind
function modes(a) { if (a) { 'use strict'; undeclared = 'what is no directive where it stands'; return [undeclared, this === globalThis] } return 'sloppy' }
function strict(a) { 'use strict'; if (a) { try { notDeclared = 'what must be declared in strict scripts' } catch (error) { a = error.name } } return a ? [a, this === undefined, 'strict all the time'] : 0 }
function caught(a) { try { if (a) throw a } catch { a = ['a', 'list', 'of', 'words', 'without', 'an', 'error'].join(' ') + a } return a }
function hoists(a) { if (a) { var late = 'a name that all of the function can see'; function inner() { return late + a } } return late && inner() + ', which the function can see as well, later' }
function warm() { return [modes(), strict(), caught(), hoists()] }
function cold() { return [modes(1), strict(1), caught('!'), hoists(1)] }

//// module
export const value = 7;
const url = () => { const here = import.meta.url; return typeof here + ' which is a part of modules only, and so stays' };
export default class { static count(n) { let total = 0; for (let i = 0; i <= n; i++) { total += i * value } return [total, this === undefined, n] } }
globalThis.warm = () => value;
globalThis.cold = async () => { const own = (function () { return this === undefined })(); return [own, url(), await Promise.resolve(value), typeof value, own ? 'strict' : 'sloppy'] };
