"""Requests that take a stock node down, against a node that runs (512 MB heap).

    python3 storm.py http://127.0.0.1:9200 load [DOCUMENTS]
    python3 storm.py http://127.0.0.1:9200 K2|K4|deep DOCUMENTS SECONDS

K2: one client with a scripted_metric that collects everything; K4: four clients with terms x
top_hits; deep: eight clients with 10,000 hits. Prints the answers by status, the longest time
without an answer of _cluster/health, and when the heap was below 60 % after the clients left.
"""
import json,sys,threading,time,urllib.request,random
url=sys.argv[1]; scen=sys.argv[2]; docs=int(sys.argv[3]) if len(sys.argv)>3 else 200000; secs=int(sys.argv[4]) if len(sys.argv)>4 else 60
def req(path,body=None,method=None,t=30,ct='application/json'):
    r=urllib.request.Request(url+path,data=body.encode() if body is not None else None,method=method,headers={'content-type':ct})
    try:
        with urllib.request.urlopen(r,timeout=t) as a: return a.status,a.read()
    except urllib.error.HTTPError as e: return e.code,e.read()
MAP='{"settings":{"number_of_shards":1,"number_of_replicas":0},"mappings":{"properties":{"@timestamp":{"type":"date"},"host":{"type":"keyword"},"service":{"type":"keyword"},"trace_id":{"type":"keyword"},"bytes":{"type":"long"},"message":{"type":"text"}}}}'
def load():
    print(req('/storm',MAP,'PUT'))
    r=random.Random(7)
    for b in range(0,docs,2000):
        lines=[]
        for i in range(b,min(docs,b+2000)):
            lines.append('{"index":{}}')
            lines.append(json.dumps({"@timestamp":1700000000000+i*10,"host":"host-%d"%r.randrange(1000),"service":"svc-%d"%r.randrange(20),"trace_id":"%032x"%r.getrandbits(128),"bytes":r.randrange(100000),"message":"request %d failed with error %s after %d ms"%(i,r.choice(["timeout","refused","reset"]),r.randrange(5000))}))
        s,a=req('/storm/_bulk','\n'.join(lines)+'\n','POST',120,'application/x-ndjson')
        assert s==200 and b'"errors":false' in a,(s,a[:300])
    req('/storm/_refresh','','POST',60)
    print(req('/storm/_count')[1])
Q={
'K2':'{"size":0,"aggs":{"s":{"scripted_metric":{"init_script":"state.l=[]","map_script":"for(int i=0;i<100;i++) state.l.add(doc[\'trace_id\'].value+i)","combine_script":"return state.l","reduce_script":"return states.size()"}}}}',
'K4':'{"size":0,"aggs":{"h":{"terms":{"field":"trace_id","size":60000},"aggs":{"t":{"top_hits":{"size":100}}}}}}',
'deep':'{"size":10000,"query":{"match_all":{}}}',
}
def run(name,clients):
    stop=time.time()+secs; out=[]; last_ok=[time.time()]; gaps=[0.0]; answers={}
    def probe():
        while time.time()<stop+40 and not done[0]:
            t=time.time()
            try:
                s,_=req('/_cluster/health',t=2)
                if s==200:
                    gaps[0]=max(gaps[0],time.time()-last_ok[0]); last_ok[0]=time.time()
            except Exception: pass
            time.sleep(max(0,0.1-(time.time()-t)))
        gaps[0]=max(gaps[0],time.time()-last_ok[0])
    def client():
        while time.time()<stop:
            t=time.time()
            try:
                s,a=req('/storm/_search',Q[name],'POST',90)
                k=str(s)
                if k not in sample: sample[k]=a[:900]
            except Exception as e:
                k=type(e).__name__; time.sleep(0.5)
            answers[k]=answers.get(k,0)+1; lat.append(time.time()-t)
    done=[False]; sample={}; lat=[]
    p=threading.Thread(target=probe); p.start()
    cs=[threading.Thread(target=client) for _ in range(clients)]
    [c.start() for c in cs]; [c.join() for c in cs]
    t=time.time(); heap=None
    while time.time()-t<30:
        try:
            heap=json.loads(req('/_nodes/stats/jvm?filter_path=**.heap_used_percent',t=5)[1])
            heap=list(heap['nodes'].values())[0]['jvm']['mem']['heap_used_percent']
            if heap<60: break
        except Exception as e: heap=repr(e)
        time.sleep(1)
    after=time.time()-t
    done[0]=True; p.join()
    print(f'{name} clients={clients} answers={answers} longest_outage={gaps[0]:.1f}s search_max={max(lat):.1f}s heap={heap}% after {after:.0f}s')
    for k,v in sample.items(): print('  ',k,v[:700])
if scen=='load': load()
else: run(scen,4 if scen=='K4' else 8 if scen=='deep' else 1)
