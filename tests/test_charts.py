"""Where values lie in charts written as SVG."""

from manue.charts import Area


def test_values_lie_between_the_edges_of_the_area():
    area = Area(left=10, right=110, top=5, bottom=55, first=1, last=5, low=1000, high=3000)
    assert [area.x(game) for game in (1, 2, 5)] == [10, 35, 110]
    assert [area.y(points) for points in (1000, 2000, 3000)] == [55, 30, 5]
    assert area.points([(1, 3000), (2, 2500)]) == "10.0,5.0 35.0,17.5"


def test_the_best_place_is_at_the_top():
    area = Area(0, 100, 10, 40, first=0, last=1, low=4, high=1)
    assert [area.y(place) for place in (1, 2, 3, 4)] == [10, 20, 30, 40]
