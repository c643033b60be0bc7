import { readFileSync } from 'node:fs';
import { encodeIndex } from '/tmp/w-search/.exp/encode.ts';
import { openIndex } from '/tmp/w-search/.exp/open.ts';
import { passagesOf } from '/tmp/w-search/.exp/passages.ts';
import { search, tuning } from '/tmp/w-search/.exp/search.ts';
const read = n => JSON.parse(readFileSync(`/tmp/w-search/bench/data/${n}.json`));
const documents = ['fairy-tales', 'tax-form', 'mietordnung', 'hotel', 'gimnasio', 'clinic-zh', 'library-ja'];
const questions = read('questions');
const ix = documents.map(n=>openIndex(encodeIndex(passagesOf(read(n).map((text,i)=>({number:i+1,text}))))));
const place = (q)=>{const f=search(ix,q.question,20).findIndex(({index,passage})=>documents[index]===q.document&&q.pages.includes(passage.page));return f<0?Infinity:f+1};
export const score=(filter)=>{const p=questions.filter(filter).map(place);return (100*p.filter(x=>x<=5).length/p.length).toFixed(0)+'% '+(p.reduce((s,x)=>s+1/x,0)/p.length).toFixed(3)};
const show=(label)=>console.log(label.padEnd(40),'tune',score((_,i)=>i%2===0),'| en',score((q,i)=>i%2===0&&!['de','fr','es','zh','ja'].includes(q.kind)),'| other',score((q,i)=>['de','fr','es','zh','ja'].includes(q.kind)), '|| held', score((_,i)=>i%2===1));
const base={...tuning};
const t=(o)=>{Object.assign(tuning,base,o);show(JSON.stringify(o))};
t({contain:1,fuzzy:1,fw:.7,sw:.4});console.log('de',score(q=>q.kind==='de'),'fr',score(q=>q.kind==='fr'),'es',score(q=>q.kind==='es'),'zh',score(q=>q.kind==='zh'),'ja',score(q=>q.kind==='ja'),'en',score(q=>!['de','fr','es','zh','ja'].includes(q.kind)))