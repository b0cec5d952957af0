import { connectDb } from './src/db/connect.ts'; import { inTransaction, type Tx } from './src/db/transaction.ts';
import { searchEntities } from './src/entities/search-entities.ts';
const db = await connectDb({url:'postgres://postgres@127.0.0.1:55432/h7_reads', poolMax:2, applicationName:'x', log:{warn(){}} as any});
const W='019a0000-0000-7000-8000-000000000aaa'; const mid='019a0000-0000-7000-8aaa-0000000f0000';
const explain = process.argv[2]==='explain';
const cases: any[] = [[{}],[{category:'part'}],[{category:'location'}],[{state:'Released'}],[{state:'Rare'}],[{category:'part',state:'Rare'}],[{category:'location',state:'Released'}],[{number:'PRT-00500001'}],[{number:'DUP'}],[{number:'DUP',category:'location',state:'Rare'}],
[{q:'bolt'}],[{q:'bolt valve'}],[{q:'PRT-00777777'}],[{q:'777777'}],[{q:'prt'}],[{q:'a3f'}],[{q:'a3f9'}],[{q:'nothing like it'}],[{q:'p'}],[{q:'a3'}],[{q:'zz'}],[{q:'--'}],[{q:'-0'}],[{q:'%'}],[{q:'bolt',category:'location'}],[{q:'bolt',state:'Rare'}],[{q:'a3f9',state:'Rare'}],[{q:'bolt',category:'part',state:'Rare'}],[{q:'bolt',number:'DUP'}],[{q:'zz',number:'DUP'}],[{q:'zz',state:'Released'}],[{q:'bolt cover nonexist'}]];
for (const [f] of cases) for (const after of [null, mid]) {
  const plans: string[]=[];
  let best=1e9, n=0, next: any;
  for (let i=0;i<(explain?1:3);i++) {
    const t=performance.now();
    await inTransaction(db,{workspaceId:W}, async (tx)=>{
      const wrapped: Tx = explain? {...tx, query: async (s:any,p:any)=>{ const r=await tx.query<any>('explain (analyze, buffers, costs off, timing off) '+s,p); plans.push(r.map((x:any)=>x['QUERY PLAN']).filter((l:string)=>/Scan|Rows Removed|Execution|Function|Sort/.test(l)).join('\n')); return tx.query(s,p);} } : tx;
      const page=await searchEntities(wrapped,f,after,100); n=page.entities.length; next=page.after;
    },{readOnly:true});
    best=Math.min(best,performance.now()-t);
  }
  console.log(JSON.stringify(f), after?'mid':'first', `${best.toFixed(1)} ms`, n, next===null?'end':'more');
  if (explain) console.log(plans.join('\n--\n'));
}
await db.close();
