"""Works one turn through the official client of the Model Context Protocol, and prints what it was told as JSON."""

import asyncio
import json
import sys

from mcp import Client, MCPError, StdioServerParameters, stdio_client


async def main(loopx: str, now: str, mode: str) -> None:
    server = StdioServerParameters(command=loopx, args=["--now", now, "mcp", "--allow-writes"])
    async with Client(stdio_client(server), mode=mode) as client:
        # The client checks each result against the schema of its tool.
        async def call(tool: str, **arguments: object) -> dict:
            result = await client.call_tool(tool, arguments)
            assert json.loads(result.content[0].text) == result.structured_content, tool
            return result.structured_content

        tools = await client.list_tools()
        packet = await call("next", agent="claude-review")
        turn = {"turn": packet["turn_id"], "todo": packet["todo"]["todo_id"], "agent": "claude-review"}
        told = {
            "version": client.protocol_version,
            "tools": sorted(tool.name for tool in tools.tools),
            "next": packet,
            "status": await call("status", goal="api-docs"),
            "lint": await call("lint"),
            "explain": await call("explain", word="gate"),
            "settle": await call("settle", **turn, done=True),
            "again": await call("settle", **turn, done=True),
            "refused": (await client.call_tool("settle", {**turn, "outcome": "failed"})).is_error,
        }
        try:
            await client.call_tool("no_such_tool", {})
        except MCPError as error:
            told["unknown"] = error.error.code
        resource = await client.read_resource("loopx://goals/ledger-cutover/agents/codex-main")
        told["resource"] = json.loads(resource.contents[0].text)
        prompt = await client.get_prompt("loopx", {"agent": "claude-review"})
        told["prompt"] = prompt.messages[0].content.text.splitlines()[0]
        print(json.dumps(told))


asyncio.run(main(*sys.argv[1:]))
