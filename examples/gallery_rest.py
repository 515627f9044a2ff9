"""Gallery: test a REST interface, a Starlette application, by sequences of requests."""

import asyncio
import json

from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

import rlcheck


def make_shop():
    """A shop with two mugs: put them into a basket, take them out, pay."""
    stock, baskets = {"mug": 2}, {}

    async def add(request):
        name = request.path_params["name"]
        if stock["mug"] == 0:
            return JSONResponse({"error": "sold out"}, 409)
        stock["mug"] -= 1
        baskets[name] = baskets.get(name, 0) + 1
        return JSONResponse({"basket": baskets[name], "stock": stock["mug"]})

    async def remove(request):
        name = request.path_params["name"]
        if name not in baskets:
            return JSONResponse({"error": "no basket"}, 404)
        baskets[name] -= 1  # Also if it is empty already.
        stock["mug"] += 1
        return JSONResponse({"basket": baskets[name], "stock": stock["mug"]})

    async def pay(request):
        paid = baskets.pop(request.path_params["name"], 0)
        return JSONResponse({"paid": paid, "stock": stock["mug"]})

    return Starlette(
        routes=[
            Route("/baskets/{name}", add, methods=["POST"]),
            Route("/baskets/{name}", remove, methods=["DELETE"]),
            Route("/baskets/{name}/pay", pay, methods=["POST"]),
        ]
    )


class Client:
    """Sends requests to the application without a network, and keeps the answers."""

    def __init__(self):
        self.app = make_shop()
        self.answers = []

    def add(self, name):
        """Put a mug into a basket."""
        return self.request("POST", f"/baskets/{name}")

    def remove(self, name):
        """Take a mug out of a basket."""
        return self.request("DELETE", f"/baskets/{name}")

    def pay(self, name):
        """Pay for what is in a basket."""
        return self.request("POST", f"/baskets/{name}/pay")

    def request(self, method, path):
        """Send a request; return the status."""
        sent = []
        scope = {"type": "http", "method": method, "path": path, "headers": [], "query_string": b""}

        async def receive():
            return {"type": "http.request", "body": b""}

        async def send(message):
            sent.append(message)

        asyncio.run(self.app(scope, receive, send))
        self.answers.append(json.loads(sent[1]["body"]))
        return sent[0]["status"]


def nothing_is_negative_or_made_up(client):
    """What must hold after each request."""
    for answer in client.answers:
        assert answer.get("basket", 0) >= 0, f"a basket with {answer['basket']} mugs"
        assert answer.get("stock", 0) <= 2, f"{answer['stock']} mugs in stock"
    return True


names = ["ann", "bob"]
calls = {"add": [names], "remove": [names], "pay": [names]}
test = rlcheck.ApiTest(Client, calls, invariants=[nothing_is_negative_or_made_up], seed=0)
summary = test.run(episodes=50)
print(summary.failures[0].error)
print(summary.failures[0].snippet)
