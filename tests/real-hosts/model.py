#!/usr/bin/env python3
"""A stand-in for a model, on the loopback: it calls one tool once, then says "ok".

    model.py LOG TOOL ARGUMENTS WORDS     (the port is the first line of standard output)

LOG gets one line for each request: which of WORDS, separated by |, the request holds. It speaks the three dialects
that the hosts of run.sh use: Anthropic messages, OpenAI responses, OpenAI chat completions.
"""
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LOG, TOOL, ARGUMENTS, WORDS = sys.argv[1], sys.argv[2], json.loads(sys.argv[3]), sys.argv[4].split("|")


def event(kind, **fields):
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n"


def data(**fields):
    return f"data: {json.dumps(fields)}\n\n"


def messages(calls):
    block = {"type": "tool_use", "id": "toolu_1", "name": TOOL, "input": {}} if calls else {"type": "text", "text": ""}
    delta = {"type": "input_json_delta", "partial_json": json.dumps(ARGUMENTS)}
    delta = delta if calls else {"type": "text_delta", "text": "ok"}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "stand-in", "content": [],
               "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    stop = {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}
    return (event("message_start", message=message) + event("content_block_start", index=0, content_block=block)
            + event("content_block_delta", index=0, delta=delta) + event("content_block_stop", index=0)
            + event("message_delta", delta=stop, usage={"output_tokens": 1}) + event("message_stop"))


def responses(calls):
    text = [{"type": "output_text", "text": "ok", "annotations": []}]
    item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": text}
    if calls:
        item = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": TOOL, "arguments": json.dumps(ARGUMENTS)}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2,
             "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    done = {"id": "resp_1", "object": "response", "status": "completed", "output": [item], "usage": usage}
    return (event("response.created", response={"id": "resp_1", "status": "in_progress"})
            + event("response.output_item.added", output_index=0, item=item)
            + event("response.output_item.done", output_index=0, item=item) + event("response.completed", response=done))


def chat(calls):
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": "stand-in"}
    function = {"name": TOOL, "arguments": json.dumps(ARGUMENTS)}
    delta = {"role": "assistant", "content": "ok"}
    if calls:
        delta = {"role": "assistant", "tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": function}]}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    end = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls else "stop"}
    return (data(**head, choices=[{"index": 0, "delta": delta, "finish_reason": None}])
            + data(**head, choices=[end], usage=usage) + "data: [DONE]\n\n")


class Model(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, kind, text):
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer("application/json", '{"data": [], "models": []}')

    do_HEAD = do_GET

    def do_POST(self):
        asked = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode(errors="replace")
        with open(LOG, "a") as log:
            log.write(" ".join(word.replace(" ", "_") for word in WORDS if word in asked) + "\n")
        if "count_tokens" in self.path:
            return self.answer("application/json", '{"input_tokens": 1}')
        flat = json.dumps(json.loads(asked), separators=(",", ":"))
        is_answered = any(mark in flat for mark in ('"tool_result"', '"function_call_output"', '"role":"tool"'))
        calls = f'"name":"{TOOL}"' in flat and not is_answered
        dialect = messages if "/messages" in self.path else responses if "/responses" in self.path else chat
        self.answer("text/event-stream", dialect(calls))

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
print(server.server_port, flush=True)
server.serve_forever()
