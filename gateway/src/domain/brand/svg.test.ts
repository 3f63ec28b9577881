import { describe, expect, test } from '@jest/globals';
import { parseSvg } from './svg.ts';

const root = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20"';
const problemsOf = (content: string) => parseSvg(`<svg ${root}>${content}</svg>`).problems;

describe('a drawing that only draws', () => {
  test.each([
    ['<path d="M0 0h60v20H0z" fill="#123456"/>'],
    ['<g fill="none"><circle cx="5" cy="5" r="4" stroke="red" /></g>'],
    ['<title>A &amp; B</title><text x="1" y="2" font-family="Inter, sans-serif">Aurora</text>'],
    [
      '<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs><rect fill="url(#a)"/>',
    ],
    [
      "<clipPath id='c'><rect/></clipPath><g clip-path='url(#c)'><rect style=\"fill: url('#a')\"/></g>",
    ],
    ['<style>.a { fill: #123; stroke-width: 2px } /* b */</style><path class="a" d="M0 0"/>'],
    ['<!-- drawn by hand --><rect aria-label="An image"/>'],
  ])('%s', (content) => {
    expect(problemsOf(content)).toEqual([]);
  });

  test('has its proportions from the viewBox, and may have a declaration', () => {
    const declared = `\uFEFF<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<svg ${root}/>\n`;
    expect(parseSvg(declared)).toEqual({ ratio: 3, problems: [] });
    expect(parseSvg('<svg xmlns="http://www.w3.org/2000/svg"/>').ratio).toBeNull();
  });
});

describe('anything else is refused', () => {
  test.each([
    ['<script>alert(1)</script>', 'has <script>, which is not a shape, text or a gradient'],
    ['<SCRIPT/>', 'has <SCRIPT>, which is not a shape, text or a gradient'],
    ['<s:script xmlns:s="http://www.w3.org/2000/svg"/>', 'has <s:script>'],
    ['<foreignObject><p/></foreignObject>', 'has <foreignObject>'],
    ['<iframe/>', 'has <iframe>'],
    ['<image href="https://evil.example/a.png"/>', 'refers to other content by "href"'],
    ['<use xlink:href="#a"/>', 'has <use>'],
    ['<a href="javascript:alert(1)"><rect/></a>', 'has <a>'],
    ['<animate attributeName="x"/>', 'has <animate>'],
    ['<set attributeName="href" to="javascript:alert(1)"/>', 'has <set>'],
    ['<filter id="f"><feImage/></filter>', 'has <filter>'],
    ['<rect onload="alert(1)"/>', 'has the event handler "onload"'],
    ["<rect ONCLICK = 'alert(1)'/>", 'has the event handler "ONCLICK"'],
    ['<rect\nonload\n=\n"a"/>', 'has the event handler "onload"'],
    [
      '<rect x:href="https://evil.example/" xmlns:x="http://www.w3.org/1999/xlink"/>',
      'by "x:href"',
    ],
    ['<rect xml:base="https://evil.example/"/>', 'has the attribute "xml:base" of an editor'],
    ['<rect inkscape:label="a"/>', 'has the attribute "inkscape:label" of an editor'],
    ['<g xmlns="http://www.w3.org/1999/xhtml"/>', 'has the namespace'],
    ['<rect fill="url(https://evil.example/#a)"/>', 'loads something by "fill"'],
    ['<rect fill="url(//evil.example)"/>', 'loads something by "fill"'],
    ['<rect fill="&#117;rl(x)"/>', 'has an entity or a character reference in "fill"'],
    ['<rect style="fill: u\\72l(x)"/>', 'loads something by "style"'],
    ['<rect style="background: image-set(\'/a\' 1x)"/>', 'loads something by "style"'],
    ['<rect style="cursor: url(data:image/png;base64,AA)"/>', 'loads something by "style"'],
    [
      '<style>@import "https://evil.example/a.css";</style>',
      'has a <style> with an external reference, an @ rule, an escape or the word "image"',
    ],
    [
      '<style>a { b: url(x) }</style>',
      'has a <style> with an external reference, an @ rule, an escape or the word "image"',
    ],
    ['<style>a { fill: &#117;rl(x) }</style>', 'has an entity or a character reference'],
    ['<text>&xxe;</text>', 'has an entity or a character reference'],
    ['<![CDATA[<script/>]]>', 'has a CDATA section'],
    ['<?xml-stylesheet href="https://evil.example/a.css"?>', 'has a processing instruction'],
    ['<!-- -- --><rect/>', 'is not well-formed at "<!-- -- --><rect/></"'],
    ['<rect x=1/>', 'is not well-formed at "<rect x=1/></svg>"'],
    ['<rect x="1" x="2"/>', 'has the attribute "x" twice'],
    ['<rect x="<"/>', 'is not well-formed'],
    ['<g>', 'closes <svg> where it is not open'],
    ['</g>', 'closes <g> where it is not open'],
    ['</svg><rect/><svg>', 'is not one <svg> element'],
    ['</svg><svg>', 'is not one <svg> element'],
    ['</svg>text<svg>', 'has text outside of <svg>'],
    ['<g>'.repeat(51) + '</g>'.repeat(51), 'is more than 50 elements deep'],
    ['<g/>'.repeat(2_000), 'has more than 2000 elements'],
  ])('%s', (content, problem) => {
    expect(problemsOf(content)).toContainEqual(expect.stringContaining(problem));
  });

  const doctype = '<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
  test.each([
    ['', 'has no <svg> element'],
    ['hello', 'has text outside of <svg>'],
    ['<html/>', 'is not one <svg> element'],
    ['<svg viewBox="0 0 1 1"/>', 'lacks xmlns="http://www.w3.org/2000/svg"'],
    [`${doctype}<svg ${root}>&b;</svg>`, 'has a DOCTYPE, which can define entities: remove it'],
    [`<?xml version="1.0" encoding="UTF-7"?><svg ${root}/>`, 'has a processing instruction'],
    [`<svg ${root}`, 'is not well-formed'],
    [`<svg ${root}>`, 'does not close <svg>'],
  ])('%s', (svg, problem) => {
    expect(parseSvg(svg).problems).toContainEqual(expect.stringContaining(problem));
  });

  test('with only its first problems, and quickly', () => {
    const many = Array.from({ length: 1000 }, (_, index) => `<a${index}/>`).join('');
    expect(problemsOf(many)).toHaveLength(5);
    for (const long of [
      `<svg${' '.repeat(60_000)}`,
      `<!--${'-'.repeat(60_000)}`,
      '<'.repeat(60_000),
    ]) {
      const startedAt = performance.now();
      expect(parseSvg(long).problems).toHaveLength(2);
      expect(performance.now() - startedAt).toBeLessThan(1000);
    }
  });
});
