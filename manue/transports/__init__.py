"""How lines travel: standard streams, TCP, WebSocket."""
