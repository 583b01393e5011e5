"""A host that sends the player elsewhere: the token stays with the host it was given for."""

import http

import pytest

from manue.errors import ConnectionLostError
from manue.transports.websocket import WebSocketChannel
from tests.transports.hosts import WebSocketHost


async def wait_for_nothing(talk):
    talk.drop()


def sending_to(url):
    """Answer the first request with a redirect, any other as usual."""
    asked = []

    def process_request(connection, request):
        asked.append(request.headers.get("Authorization"))
        if len(asked) > 1:
            return None
        response = connection.respond(http.HTTPStatus.FOUND, "elsewhere")
        response.headers["Location"] = url
        return response

    return process_request, asked


async def test_a_redirect_to_another_origin_does_not_carry_the_token():
    async with WebSocketHost(wait_for_nothing) as elsewhere:
        redirect, asked = sending_to(elsewhere.url)
        async with WebSocketHost(process_request=redirect) as host:
            channel = await WebSocketChannel.open(host.url, "s3cret")
            assert await channel.receive() is None
    assert asked == ["Bearer s3cret"]
    assert len(elsewhere.headers) == 1
    assert "Authorization" not in elsewhere.headers[0]


async def test_a_redirect_within_the_host_carries_the_token():
    redirect, asked = sending_to("/ws/other")
    async with WebSocketHost(wait_for_nothing, process_request=redirect) as host:
        channel = await WebSocketChannel.open(host.url, "s3cret")
        assert await channel.receive() is None
    assert asked == ["Bearer s3cret", "Bearer s3cret"]


async def test_redirects_in_a_circle_end():
    def process_request(connection, request):
        response = connection.respond(http.HTTPStatus.FOUND, "again")
        response.headers["Location"] = request.path
        return response

    async with WebSocketHost(process_request=process_request) as host:
        with pytest.raises(ConnectionLostError, match="redirects"):
            await WebSocketChannel.open(host.url, "s3cret")
