"""Transports for lines: standard streams, TCP, WebSocket."""
